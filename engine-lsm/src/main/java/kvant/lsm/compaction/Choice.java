package kvant.lsm.compaction;

/// What the picker wants done.
public sealed interface Choice {

    /// Nothing: the shape is good.
    record Rest() implements Choice {}

    /// Merge neighbouring runs into one.
    ///
    /// @param first index of the newest of them, counting runs from the newest
    /// @param count how many; at least two
    record Merge(int first, int count) implements Choice {}
}
