package kvant.lsm.compaction;

/// How tables are merged.
///
/// @param picker decides what is merged
/// @param threads how many merges run at a time
/// @param bytesPerSecond how fast all of them together write; 0 for no limit
public record CompactionOptions(Picker picker, int threads, long bytesPerSecond) {

    public CompactionOptions {
        if (threads < 1 || bytesPerSecond < 0) {
            throw new IllegalArgumentException("compaction takes at least 1 thread, and a rate of at least 0 bytes/s");
        }
    }

    /// One thread, no limit: for tests and tools.
    public static CompactionOptions of(Picker picker) {
        return new CompactionOptions(picker, 1, 0);
    }
}
