package kvant.rocksdb;

import kvant.engine.Durability;
import kvant.engine.GroupCommit;

/// The settings of a RocksDB engine.
///
/// @param durability guarantee of an acknowledgement
/// @param preset configuration of RocksDB
/// @param blockCacheBytes native memory for uncompressed blocks, indexes and filters; with [Preset#TUNED]
/// @param writeBufferBytes size of one memtable, of which up to four exist; with [Preset#TUNED]
/// @param backgroundThreads threads for flushes and compactions; with [Preset#TUNED]
/// @param commit bounds of the commit queue and of a group
public record RocksDbOptions(
        Durability durability,
        Preset preset,
        long blockCacheBytes,
        long writeBufferBytes,
        int backgroundThreads,
        GroupCommit.Options commit) {

    private static final RocksDbOptions DEFAULTS = new RocksDbOptions(
            Durability.ALWAYS,
            Preset.TUNED,
            256L << 20,
            64L << 20,
            Math.max(2, Runtime.getRuntime().availableProcessors()),
            GroupCommit.Options.DEFAULT);

    public RocksDbOptions {
        atLeast("blockCacheBytes", blockCacheBytes, 0);
        atLeast("writeBufferBytes", writeBufferBytes, 64 << 10);
        atLeast("backgroundThreads", backgroundThreads, 1);
    }

    public static RocksDbOptions defaults() {
        return DEFAULTS;
    }

    public RocksDbOptions withDurability(Durability newDurability) {
        return new RocksDbOptions(newDurability, preset, blockCacheBytes, writeBufferBytes, backgroundThreads, commit);
    }

    public RocksDbOptions withPreset(Preset newPreset) {
        return new RocksDbOptions(durability, newPreset, blockCacheBytes, writeBufferBytes, backgroundThreads, commit);
    }

    public RocksDbOptions withBlockCacheBytes(long bytes) {
        return new RocksDbOptions(durability, preset, bytes, writeBufferBytes, backgroundThreads, commit);
    }

    public RocksDbOptions withWriteBufferBytes(long bytes) {
        return new RocksDbOptions(durability, preset, blockCacheBytes, bytes, backgroundThreads, commit);
    }

    public RocksDbOptions withBackgroundThreads(int threads) {
        return new RocksDbOptions(durability, preset, blockCacheBytes, writeBufferBytes, threads, commit);
    }

    private static void atLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(name + " is " + value + "; it must be at least " + least);
        }
    }
}
