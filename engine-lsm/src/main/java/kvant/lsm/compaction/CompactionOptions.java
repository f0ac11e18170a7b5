package kvant.lsm.compaction;

/// How tables are merged.
///
/// @param picker decides what is merged
/// @param threads how many merges, or parts of one, run at a time
/// @param bytesPerSecond how fast all of them together write; 0 for no limit, [#BY_LOAD] for as fast as requests let
/// them
public record CompactionOptions(Picker picker, int threads, long bytesPerSecond) {

    /// Merges give way to requests while there is little to merge (see [LoadPace]), and so do flushes while there is
    /// time.
    public static final long BY_LOAD = -1;

    public CompactionOptions {
        if (threads < 1 || bytesPerSecond < BY_LOAD) {
            throw new IllegalArgumentException("compaction takes at least 1 thread, and a rate of at least 0 bytes/s");
        }
    }

    /// Whether the work in the background rests for the sake of requests.
    public boolean givesWay() {
        return bytesPerSecond == BY_LOAD;
    }

    /// One thread, no limit: for tests and tools.
    public static CompactionOptions of(Picker picker) {
        return new CompactionOptions(picker, 1, 0);
    }
}
