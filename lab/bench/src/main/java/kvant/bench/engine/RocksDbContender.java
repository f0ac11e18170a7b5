package kvant.bench.engine;

import java.nio.file.Path;
import java.util.List;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.Filter;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteOptions;

/// RocksDB through its own Java binding, called directly: leveled compaction, a Bloom filter of ten bits a
/// key, a block cache as large as Kvant's, no compression (Kvant's tables have none either), a write buffer as large as
/// Kvant's memtable.
///
/// Index and filter blocks are part of the cache, as in Kvant, and half of it is reserved for them: this is the default
/// of the cache in C++, but not in Java.
final class RocksDbContender implements Contender {

    private static final int BLOOM_BITS_PER_KEY = 10;
    private static final int SHARDS_BY_SIZE = -1;
    private static final double SHARE_OF_INDEX_AND_FILTERS = 0.5;
    private static final int REST_POLL_MILLIS = 5;
    private static final List<String> WORK_LEFT = List.of(
            "rocksdb.mem-table-flush-pending",
            "rocksdb.num-running-flushes",
            "rocksdb.compaction-pending",
            "rocksdb.num-running-compactions");

    private final Options options;
    private final Cache cache;
    private final Filter filter;
    private final RocksDB db;
    private final WriteOptions unsynced = new WriteOptions();
    private final WriteOptions synced = new WriteOptions().setSync(true);

    private RocksDbContender(Options options, Cache cache, Filter filter, RocksDB db) {
        this.options = options;
        this.cache = cache;
        this.filter = filter;
        this.db = db;
    }

    static RocksDbContender open(Path directory, long cacheBytes, long writeBufferBytes) {
        RocksDB.loadLibrary();
        Cache cache = new LRUCache(cacheBytes, SHARDS_BY_SIZE, false, SHARE_OF_INDEX_AND_FILTERS);
        Filter filter = new BloomFilter(BLOOM_BITS_PER_KEY, false);
        Options options = new Options()
                .setCreateIfMissing(true)
                .setWriteBufferSize(writeBufferBytes)
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setBlockCache(cache)
                        .setFilterPolicy(filter)
                        .setCacheIndexAndFilterBlocks(true)
                        .setCacheIndexAndFilterBlocksWithHighPriority(true)
                        .setPinL0FilterAndIndexBlocksInCache(true));
        try {
            return new RocksDbContender(options, cache, filter, RocksDB.open(options, directory.toString()));
        } catch (RocksDBException e) {
            throw failed(e);
        }
    }

    @Override
    public String name() {
        return "rocksdb";
    }

    @Override
    public long cacheBytes() {
        return property("rocksdb.block-cache-capacity");
    }

    /// Memory for reads outside the cache.
    long readerBytes() {
        return property("rocksdb.estimate-table-readers-mem");
    }

    private long property(String name) {
        try {
            return db.getLongProperty(name);
        } catch (RocksDBException e) {
            throw failed(e);
        }
    }

    @Override
    public void put(byte[] key, byte[] value) {
        put(unsynced, key, value);
    }

    @Override
    public void settle() {
        // Nothing to wait for: a put is applied when it returns.
    }

    /// RocksDB's Java binding has no call that waits for compactions. Its statistics show when none is running or
    /// pending, and no flush is pending.
    @Override
    public void rest() {
        try {
            long left;
            do {
                Thread.sleep(REST_POLL_MILLIS);
                left = 0;
                for (String figure : WORK_LEFT) {
                    left += property(figure);
                }
            } while (left > 0);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean putDurablyLater(byte[] key, byte[] value) {
        return false;
    }

    @Override
    public void putDurably(byte[] key, byte[] value) {
        put(synced, key, value);
    }

    @Override
    public boolean get(byte[] key) {
        try {
            return db.get(key) != null;
        } catch (RocksDBException e) {
            throw failed(e);
        }
    }

    @Override
    public long scan() {
        long records = 0;
        long bytes = 0;
        try (RocksIterator iterator = db.newIterator()) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                records++;
                bytes += iterator.key().length + iterator.value().length;
            }
        }
        return bytes == 0 ? 0 : records;
    }

    @Override
    public void close() {
        for (AutoCloseable each : List.<AutoCloseable>of(unsynced, synced, db, options, filter, cache)) {
            try {
                each.close();
            } catch (Exception e) {
                throw new IllegalStateException("cannot close " + each, e);
            }
        }
    }

    private void put(WriteOptions how, byte[] key, byte[] value) {
        try {
            db.put(how, key, value);
        } catch (RocksDBException e) {
            throw failed(e);
        }
    }

    private static IllegalStateException failed(RocksDBException e) {
        return new IllegalStateException("RocksDB failed", e);
    }
}
