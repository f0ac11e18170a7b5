/// A program with a store of its own.
module example.embed {
    requires kvant.lsm; // which brings kvant.engine
}
