package kvant.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.GroupCommit;
import kvant.engine.Health;
import kvant.engine.Limits;
import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.Maintenance;
import kvant.engine.MetricSink;
import kvant.engine.Range;
import kvant.engine.RecordSink;
import kvant.engine.Write;
import kvant.engine.directory.DataDirectory;
import kvant.engine.directory.ExpiryFile;
import kvant.engine.kit.ExpiryClock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.FlushOptions;
import org.rocksdb.Holder;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;
import org.rocksdb.Statistics;

/// The engine over RocksDB. Readers call the native library on their own threads; the commit thread alone
/// writes.
///
///     get, tryGet, scan --InUse--> RocksDB <-- CommitLog <-- GroupCommit <-- submit
///
/// Invariant: no native object is used after it was freed. Readers are inside [InUse] while they use one; a
/// close ends the commit thread first, then waits for the readers, then frees cursors, store and options in
/// that order.
///
/// A full disk fails writes with [EngineException.StorageFull]; RocksDB checks for free space every 5 s and
/// then resumes by itself. The Java binding has no call to make it check earlier.
///
/// Expired values read as absent, but their bytes stay until the key is overwritten or deleted: the Java
/// binding of RocksDB offers no compaction filter that looks at a value (only native ones; its own TTL is one
/// per store).
public final class RocksDbEngine implements LocalEngine {

    /// The mark of the data directory, and the name of the directory in it that holds RocksDB's files.
    static final String NAME = "rocksdb";

    /// Free space from which a full disk counts as usable again: RocksDB needs space for a log and a table.
    private static final long USABLE_BYTES = 16 << 20;

    // Constant.
    private final DataDirectory directory;
    private final Database database;
    private final ExpiryClock clock;
    private final ExpiryFile expiry;
    private final BatchCommit log;
    private final GroupCommit commits;
    private final InUse inUse = new InUse();
    private final RocksDbMaintenance maintenance;

    // Atomic.
    private final Set<RocksDbCursor> cursors = ConcurrentHashMap.newKeySet();

    // Guarded by this.
    private boolean closed;

    private RocksDbEngine(DataDirectory directory, Database database, RocksDbOptions options, ExpiryClock clock) {
        this.directory = directory;
        this.database = database;
        this.clock = clock;
        this.expiry = new ExpiryFile(directory, clock);
        this.maintenance = new RocksDbMaintenance(database, inUse);
        this.log = new BatchCommit(database, options.durability(), clock, directory);
        this.commits = new GroupCommit("kvant-rocksdb-commit", options.commit(), log);
    }

    /// Opens the store in a directory, which is created where it is missing.
    ///
    /// @throws EngineException.CannotOpen saying in one line why
    public static RocksDbEngine open(Path path, RocksDbOptions options) {
        return open(path, options, InstantSource.system(), null);
    }

    /// Opens it with RocksDB's statistics enabled; for tests.
    static RocksDbEngine open(Path path, RocksDbOptions options, @Nullable Statistics statistics) {
        return open(path, options, InstantSource.system(), statistics);
    }

    /// Opens it with another clock, for tests.
    ///
    /// @param wall for expiry alone
    static RocksDbEngine open(Path path, RocksDbOptions options, InstantSource wall, @Nullable Statistics statistics) {
        DataDirectory directory = DataDirectory.open(path, NAME);
        boolean opened = false;
        try {
            ExpiryClock.State expired = ExpiryFile.read(directory);
            Database database = Database.open(createFolder(directory.path().resolve(NAME)), options, statistics);
            opened = true;
            ExpiryClock clock = new ExpiryClock(wall, expired.upTo(database.rocks.getLatestSequenceNumber()));
            return new RocksDbEngine(directory, database, options, clock);
        } finally {
            if (!opened) {
                directory.close();
            }
        }
    }

    private static Path createFolder(Path folder) {
        try {
            if (!Files.exists(folder)) {
                Files.createDirectory(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            return folder;
        } catch (IOException e) {
            throw new EngineException.CannotOpen("cannot create " + folder + ": " + e.getMessage(), e);
        }
    }

    /// Asks `keyMayExist` first, because a `get` that would block answers with an exception, which costs several
    /// times the look-up (4 µs against 1 µs). Two of its answers are not trusted:
    /// - "no" is verified by a memory-only `get`: `keyMayExist` says "no" to any failure too, and a failure must
    ///   never pass for an absent key;
    /// - "found, of 0 bytes" is the answer when a table's index is not in the block cache (RocksDB issue 12921). A
    ///   stored value is never that short, so the case is recognised: it would block.
    @Override
    public Lookup tryGet(byte[] key) {
        int ticket = inUse.enter();
        try {
            Holder<byte[]> stored = new Holder<>();
            if (database.rocks.keyMayExist(database.readMemory, key, stored)) {
                byte[] bytes = stored.getValue();
                boolean known = bytes != null && bytes.length >= ValueLayout.HEADER_BYTES;
                return known ? ValueLayout.decode(bytes, clock) : Lookup.Miss.WOULD_BLOCK;
            }
            byte[] bytes = database.rocks.get(database.readMemory, key);
            return bytes == null ? Lookup.Miss.ABSENT : ValueLayout.decode(bytes, clock);
        } catch (RocksDBException e) {
            if (RocksDbErrors.isIncomplete(e)) {
                return Lookup.Miss.WOULD_BLOCK;
            }
            throw readFailed(e);
        } finally {
            inUse.exit(ticket);
        }
    }

    @Override
    public Lookup get(byte[] key) {
        int ticket = inUse.enter();
        try {
            byte[] stored = database.rocks.get(database.read, key);
            return stored == null ? Lookup.Miss.ABSENT : ValueLayout.decode(stored, clock);
        } catch (RocksDBException e) {
            throw readFailed(e);
        } finally {
            inUse.exit(ticket);
        }
    }

    @Override
    public Lookup tryGet(byte[] key, Lookup.Filter filter) {
        return get(database.readMemory, key, filter);
    }

    @Override
    public Lookup get(byte[] key, Lookup.Filter filter) {
        return get(database.read, key, filter);
    }

    private Lookup get(ReadOptions options, byte[] key, Lookup.Filter filter) {
        int ticket = inUse.enter();
        try {
            return database.get(options, key, filter, clock);
        } catch (RocksDBException e) {
            if (RocksDbErrors.isIncomplete(e)) {
                return Lookup.Miss.WOULD_BLOCK;
            }
            throw readFailed(e);
        } finally {
            inUse.exit(ticket);
        }
    }

    @Override
    public void submit(Write write) {
        Limits.DEFAULT.check(write.batch());
        commits.submit(write);
    }

    @Override
    public Cursor scan(byte[] from, byte @Nullable [] to) {
        int ticket = inUse.enter();
        try {
            RocksDbCursor cursor = new RocksDbCursor(this, database, from, to);
            cursors.add(cursor);
            return cursor;
        } finally {
            inUse.exit(ticket);
        }
    }

    @Override
    public void read(List<byte[]> keys, RecordSink records) {
        int ticket = inUse.enter();
        Snapshot moment = database.rocks.getSnapshot();
        try (ReadOptions options = new ReadOptions().setSnapshot(moment)) {
            for (byte[] key : keys) {
                byte[] stored = database.rocks.get(options, key);
                if (stored != null && ValueLayout.decode(stored, clock) instanceof Lookup.Found found) {
                    records.take(key, found.value(), found.version(), ValueLayout.expiresAtMillis(stored));
                }
            }
        } catch (RocksDBException e) {
            throw readFailed(e);
        } finally {
            database.rocks.releaseSnapshot(moment);
            inUse.exit(ticket);
        }
    }

    @Override
    public Reach tryScan(Range range, int maxBytes, RecordSink records) {
        int ticket = inUse.enter();
        try {
            return RocksDbCursor.readShort(this, database, range, maxBytes, records);
        } catch (RocksDBException e) {
            if (RocksDbErrors.isIncomplete(e)) {
                return Reach.WOULD_BLOCK;
            }
            throw readFailed(e);
        } finally {
            inUse.exit(ticket);
        }
    }

    @Override
    public Health health() {
        boolean open = !inUse.isClosed();
        Health.Check reads = new Health.Check(Health.READS, open, open ? "served" : "the engine is closed");
        return new Health(
                List.of(reads, open ? writes() : new Health.Check(Health.WRITES, false, "the engine is closed")));
    }

    @Override
    public void measure(MetricSink sink) {
        if (!inUse.isClosed()) {
            maintenance.measure(sink);
        }
    }

    @Override
    public Maintenance maintenance() {
        return maintenance;
    }

    private Health.Check writes() {
        EngineException death = log.death();
        if (death != null) {
            return new Health.Check(Health.WRITES, false, String.valueOf(death.getMessage()));
        }
        if (log.full() && !spaceReturned()) {
            return new Health.Check(Health.WRITES, false, "no space left for " + database.path + ": free some");
        }
        String displaced = directory.displaced();
        if (displaced != null) {
            return new Health.Check(Health.WRITES, false, displaced);
        }
        return new Health.Check(Health.WRITES, true, "served; " + commits.pendingBytes() + " bytes wait");
    }

    /// Checks the free space. Otherwise a node taken out of service for a full disk would get no write that could
    /// show its recovery.
    private boolean spaceReturned() {
        try {
            return Files.getFileStore(database.path).getUsableSpace() >= USABLE_BYTES;
        } catch (IOException _) {
            return false;
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        commits.close();
        closed = true;
        maintenance.cancel();
        inUse.close();
        cursors.forEach(RocksDbCursor::free);
        cursors.clear();
        database.close();
        expiry.close();
        directory.close();
    }

    /// Moves the data in memory into a table; for tests.
    void flush() {
        int ticket = inUse.enter();
        try (FlushOptions wait = new FlushOptions().setWaitForFlush(true)) {
            database.rocks.flush(wait);
        } catch (RocksDBException e) {
            throw RocksDbErrors.ofWrite(e, database.path);
        } finally {
            inUse.exit(ticket);
        }
    }

    /// Merges all tables; for tests.
    void compact() {
        maintenance.compact(_ -> {});
    }

    /// RocksDB's own count of mutations; for tests.
    long latestSequenceNumber() {
        return database.rocks.getLatestSequenceNumber();
    }

    ExpiryClock clock() {
        return clock;
    }

    InUse inUse() {
        return inUse;
    }

    /// @return whether the cursor was still open, so that the caller is to free it
    boolean forget(RocksDbCursor cursor) {
        return cursors.remove(cursor);
    }

    EngineException readFailed(RocksDBException e) {
        return RocksDbErrors.ofRead(e, database.path);
    }
}
