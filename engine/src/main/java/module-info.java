/// The engine port. What several engines share is for engines alone.
@SuppressWarnings("module") // the LSM engine is compiled after this
module kvant.engine {
    requires static transitive org.jspecify;

    exports kvant.engine;
    exports kvant.engine.feed;
    exports kvant.engine.directory to
            kvant.lsm;
    exports kvant.engine.kit to
            kvant.lsm;
}
