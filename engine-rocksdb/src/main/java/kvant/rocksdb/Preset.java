package kvant.rocksdb;

/// Configurations of RocksDB. Safety is the same in each: see [Database].
public enum Preset {

    /// RocksDB's own defaults: leveled compaction, no filter, a small block cache of its own. The sizes of
    /// [RocksDbOptions] do not apply.
    DEFAULT,

    /// Block cache of the given size, Bloom filters of 10 bits a key, universal compaction, LZ4.
    TUNED
}
