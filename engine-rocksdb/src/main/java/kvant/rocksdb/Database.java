package kvant.rocksdb;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import kvant.engine.Durability;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.engine.kit.ExpiryClock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteOptions;

/// The native objects of one open store, and their end. Immutable; callers must not use them after [#close].
///
/// For safety, every preset ensures:
/// - the log is recovered as the durability promises. `always`: a torn tail is cut, damage before it refuses to open.
///   The others: everything up to the first gap, because a power cut may leave one in unsynced data;
/// - log files are not recycled, checksums are verified on every read (both are RocksDB's defaults).
final class Database implements AutoCloseable {

    private static final Logger LOGGER = System.getLogger(Database.class.getName());

    /// RocksDB's own information log: few and small files.
    private static final int INFO_LOG_FILES = 4;

    private static final long INFO_LOG_BYTES = 4 << 20;

    private static final double BLOOM_BITS_PER_KEY = 10;
    private static final int MEMTABLES = 4;
    private static final long SYNC_WHILE_WRITING_BYTES = 1 << 20;

    // Constant.
    final Path path;
    final ReadOptions read = new ReadOptions();
    final ReadOptions readMemory = new ReadOptions().setReadTier(ReadTier.BLOCK_CACHE_TIER);
    final WriteOptions write;
    final RocksDB rocks;
    private final Deque<AutoCloseable> owned;

    private Database(Path path, RocksDB rocks, Durability durability, Deque<AutoCloseable> owned) {
        this.path = path;
        this.rocks = rocks;
        this.owned = owned;
        this.write = new WriteOptions().setSync(durability instanceof Durability.Always);
        owned.push(read);
        owned.push(readMemory);
        owned.push(write);
    }

    /// @param statistics counters for RocksDB, or null for none; the caller closes it
    /// @throws EngineException.CannotOpen with the reason in one line
    static Database open(Path path, RocksDbOptions options, @Nullable Statistics statistics) {
        loadLibrary();
        Deque<AutoCloseable> owned = new ArrayDeque<>();
        try {
            RocksDB rocks = RocksDB.open(nativeOptions(options, owned, statistics), path.toString());
            return new Database(path, rocks, options.durability(), owned);
        } catch (RocksDBException e) {
            closeAll(owned);
            throw RocksDbErrors.ofOpen(e, path);
        }
    }

    /// Reads the header of a stored value, and the whole value if it is wanted: two look-ups for one answer, a small
    /// cost compared with a value that is long enough to be filtered.
    ///
    /// @param options parts of the store to read
    Lookup get(ReadOptions options, byte[] key, Lookup.Filter filter, ExpiryClock clock) throws RocksDBException {
        byte[] header = new byte[ValueLayout.HEADER_BYTES];
        int length = rocks.get(options, key, header);
        if (length == RocksDB.NOT_FOUND) {
            return Lookup.Miss.ABSENT;
        }
        Lookup seen = ValueLayout.describe(header, length, clock);
        if (!(seen instanceof Lookup.Described(long version, int valueLength)) || !filter.wants(version, valueLength)) {
            return seen;
        }
        byte[] stored = rocks.get(options, key);
        Lookup found = stored == null ? Lookup.Miss.ABSENT : ValueLayout.decode(stored, clock);
        return found instanceof Lookup.Found newer && newer.version() != version ? newer.filtered(filter) : found;
    }

    /// Closes the store, then the native objects it was made of. All writes have been synced before.
    @Override
    public void close() {
        try {
            rocks.closeE();
        } catch (RocksDBException e) {
            LOGGER.log(
                    Level.WARNING, "closing RocksDB in " + path + ": " + e.getMessage() + "; the next open recovers");
        }
        closeAll(owned);
    }

    /// Must run before anything native is created: the classes of RocksDB do not all load their library by
    /// themselves.
    static void loadLibrary() {
        try {
            RocksDB.loadLibrary();
        } catch (RuntimeException | UnsatisfiedLinkError e) {
            throw new EngineException.CannotOpen(
                    "cannot load RocksDB's native library (it is unpacked into java.io.tmpdir, which must allow"
                            + " execution): " + e.getMessage(),
                    e);
        }
    }

    private static Options nativeOptions(
            RocksDbOptions options, Deque<AutoCloseable> owned, @Nullable Statistics statistics) {
        Options rocks = new Options()
                .setCreateIfMissing(true)
                .setParanoidChecks(true)
                .setWalRecoveryMode(recoveryMode(options.durability()))
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(INFO_LOG_FILES)
                .setMaxLogFileSize(INFO_LOG_BYTES)
                .setStatsDumpPeriodSec(0);
        owned.push(rocks);
        if (statistics != null) {
            rocks.setStatistics(statistics);
        }
        switch (options.preset()) {
            case DEFAULT -> {}
            case TUNED -> tune(rocks, options, owned);
        }
        return rocks;
    }

    static WALRecoveryMode recoveryMode(Durability durability) {
        return switch (durability) {
            case Durability.Always _ -> WALRecoveryMode.TolerateCorruptedTailRecords;
            case Durability.Interval _, Durability.None _ -> WALRecoveryMode.PointInTimeRecovery;
        };
    }

    private static void tune(Options rocks, RocksDbOptions options, Deque<AutoCloseable> owned) {
        LRUCache cache = new LRUCache(options.blockCacheBytes());
        BloomFilter filter = new BloomFilter(BLOOM_BITS_PER_KEY, false);
        owned.addLast(filter); // closed after the options that use it
        owned.addLast(cache);
        BlockBasedTableConfig table = new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setFilterPolicy(filter)
                .setCacheIndexAndFilterBlocks(true) // so that the cache bounds all memory for reads
                .setPinL0FilterAndIndexBlocksInCache(true);
        rocks.setTableFormatConfig(table)
                .setCompactionStyle(CompactionStyle.UNIVERSAL)
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setWriteBufferSize(options.writeBufferBytes())
                .setMaxWriteBufferNumber(MEMTABLES)
                .setMaxBackgroundJobs(options.backgroundThreads())
                .setBytesPerSync(SYNC_WHILE_WRITING_BYTES);
    }

    private static void closeAll(Deque<AutoCloseable> owned) {
        while (!owned.isEmpty()) {
            try {
                owned.pop().close();
            } catch (Exception e) {
                LOGGER.log(Level.WARNING, "closing a native object failed", e);
            }
        }
    }
}
