package kvant.lsm.compaction;

/// The settings of compaction.
///
/// @param picker chooses the merges
/// @param threads most merges, or parts of one, that run at a time
/// @param bytesPerSecond write rate of all of them together; 0 for no limit, [#BY_LOAD] for as fast as requests let
///     them
public record CompactionOptions(Picker picker, int threads, long bytesPerSecond) {

    /// Merges give way to requests while there is little to merge (see [LoadPace]), and so do flushes while there is
    /// time.
    public static final long BY_LOAD = -1;

    public CompactionOptions {
        if (threads < 1 || bytesPerSecond < BY_LOAD) {
            throw new IllegalArgumentException("compaction takes at least 1 thread, and a rate of at least 0 bytes/s");
        }
    }

    /// Whether background work gives way to requests.
    public boolean givesWay() {
        return bytesPerSecond == BY_LOAD;
    }

    /// One thread, no limit: for tests and tools.
    public static CompactionOptions of(Picker picker) {
        return new CompactionOptions(picker, 1, 0);
    }
}
