package kvant.lsm;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import kvant.engine.ActivitySink;
import kvant.engine.ConditionFailedException;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.GroupCommit;
import kvant.engine.Health;
import kvant.engine.LocalEngine;
import kvant.engine.LocalEngine.Reach;
import kvant.engine.Lookup;
import kvant.engine.Maintenance;
import kvant.engine.MetricSink;
import kvant.engine.Range;
import kvant.engine.RecordSink;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.engine.directory.ExpiryFile;
import kvant.engine.directory.OwnFiles;
import kvant.engine.feed.ChangeFeed;
import kvant.engine.feed.ChangeSource;
import kvant.engine.kit.Companion;
import kvant.engine.kit.ExpiryClock;
import kvant.lsm.background.Compactor;
import kvant.lsm.background.FlushThread;
import kvant.lsm.changes.LogChanges;
import kvant.lsm.commit.CommitLog;
import kvant.lsm.commit.MemtableFlush;
import kvant.lsm.commit.WriteThrottle;
import kvant.lsm.compaction.MergeUrgency;
import kvant.lsm.compaction.ValueGarbage;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.operate.Checkpoint;
import kvant.lsm.operate.LsmMaintenance;
import kvant.lsm.operate.StoreMetrics;
import kvant.lsm.read.Scans;
import kvant.lsm.read.SuperVersions;
import kvant.lsm.recover.Recovery;
import kvant.lsm.recover.RecoveryReport;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.StorageFullException;
import kvant.lsm.store.Store;
import kvant.lsm.store.StoreHealth;
import kvant.lsm.version.Shape;
import org.jspecify.annotations.Nullable;

/// Kvant's own engine: a log-structured merge tree, durable by default.
///
/// Any thread may call it. Reads take no lock; see [SuperVersions#find]. Writes go through one commit thread; see
/// [CommitLog]. Background threads flush and merge; see [FlushThread] and [Compactor].
public final class LsmEngine implements LocalEngine, ChangeSource {

    /// The mark of the data directory.
    public static final String NAME = FileNames.ENGINE;

    // Constant.
    private final LsmOptions options;
    private final LsmParts parts;
    private final @Nullable StoreDirectory directory;
    private final RecoveryReport recovery;
    private final Store store;
    private final SuperVersions readers;
    private final Scans scans;
    private final LogChanges changes;
    private final CommitLog log;
    private final GroupCommit commits;
    private final FlushThread flush;
    private final Compactor compactor;
    private final @Nullable LsmMaintenance maintenance;
    private final @Nullable ExpiryFile expiry;

    // Written once.
    private volatile boolean closed;
    private volatile @Nullable Companion companion;

    private LsmEngine(Storage storage, LsmOptions options, LsmParts parts, @Nullable StoreDirectory directory)
            throws IOException {
        this.options = options;
        this.parts = parts;
        this.directory = directory;
        Supplier<Memtable> memtables = () -> parts.memtable(options.memtableBytes());
        ExpiryClock.State saved = savedExpiry(); // before recovery writes: it may be that of a later version
        try (Opening opening = new Opening()) {
            Recovery recovered = Recovery.run(storage, options, memtables);
            opening.recovered = recovered;
            this.recovery = recovered.report();
            ExpiryClock clock = new ExpiryClock(options.clock(), saved.upTo(recovered.lastSequence()));
            this.store = new Store(
                    storage,
                    options,
                    new Store.Parts(memtables, shape -> debtBytes(options, shape), clock),
                    recovered.versions(),
                    recovered.memtable(),
                    recovered.lastSequence());
            opening.store = store;
            this.readers = store.readers();
            this.scans = store.scans();
            this.changes = new LogChanges(store, () -> closed);
            this.log = new CommitLog(store, options.throttle(), recovered.recoveredLogs());
            opening.log = log;
            this.flush = new FlushThread(store);
            opening.flush = flush;
            this.compactor = new Compactor(store, urgency(options.throttle()), log::lacksRoom);
            opening.compactor = compactor;
            this.maintenance = directory == null ? null : maintenance(directory);
            this.expiry = directory == null ? null : new ExpiryFile(directory.data(), clock);
            opening.expiry = expiry;
            GroupCommit.Log around = parts.aroundCommits(log, new MemtableFlush(log, store));
            this.commits = new GroupCommit("kvant-lsm-commit", options.commit(), around);
            opening.commits = commits;
            flush.start();
            compactor.start();
            opening.complete();
        }
    }

    /// The bytes that merges must still process before the store has its intended shape and space.
    private static long debtBytes(LsmOptions options, Shape shape) {
        return options.compaction().picker().debtBytes(shape)
                + new ValueGarbage(options.values().maxSpace()).excessBytes(shape);
    }

    static MergeUrgency urgency(WriteThrottle throttle) {
        return MergeUrgency.before(throttle.slowRuns(), throttle.slowDebtBytes());
    }

    private ExpiryClock.State savedExpiry() {
        return directory == null ? ExpiryClock.State.NEW : ExpiryFile.read(directory.data());
    }

    private LsmMaintenance maintenance(StoreDirectory held) {
        Path files = held.data().path().resolve(FileNames.DIRECTORY);
        return new LsmMaintenance(this, store, new Checkpoint.Context(files, options.table(), options.random()));
    }

    /// Opens a store, or creates one where there is none.
    ///
    /// @throws EngineException.CannotOpen when the directory is held, of another engine, of a newer version
    ///     or not permitted
    /// @throws EngineException.Corruption when a file that the store needs is damaged or missing
    /// @throws EngineException.StorageFull when the disk is too full to begin a log
    public static LsmEngine open(Path path, LsmOptions options) {
        return open(path, options, LsmParts.OWN);
    }

    /// Opens a store whose engine has other parts, for experiments.
    public static LsmEngine open(Path path, LsmOptions options, LsmParts parts) {
        options.table().requireLibraries(); // now, and not at the first flush
        StoreDirectory directory = directory(path, options);
        boolean opened = false;
        try {
            LsmEngine engine = open(directory.storage(), options, parts, directory);
            opened = true;
            directory.noteBegun();
            return engine;
        } finally {
            if (!opened) {
                directory.close();
            }
        }
    }

    private static StoreDirectory directory(Path path, LsmOptions options) {
        try {
            return StoreDirectory.open(path, options);
        } catch (IOException e) {
            throw cannotOpen(path.toString(), e);
        }
    }

    /// Opens a store in any storage; for tests that replace the disk.
    static LsmEngine open(Storage storage, LsmOptions options, LsmParts parts, @Nullable StoreDirectory directory) {
        try {
            return new LsmEngine(storage, options, parts, directory);
        } catch (IOException e) {
            throw cannotOpen(storage.describe(""), e);
        }
    }

    @Override
    public Lookup tryGet(byte[] key) {
        refuseClosed();
        return readers.find(key, false);
    }

    @Override
    public Lookup get(byte[] key) {
        refuseClosed();
        return readers.find(key, true);
    }

    /// An unwanted value is not copied. A block of a compressed table is decompressed all the same.
    @Override
    public Lookup tryGet(byte[] key, Lookup.Filter filter) {
        refuseClosed();
        return readers.find(key, filter, false);
    }

    @Override
    public Lookup get(byte[] key, Lookup.Filter filter) {
        refuseClosed();
        return readers.find(key, filter, true);
    }

    @Override
    public void submit(Write write) {
        options.limits().check(write.batch());
        Companion other = companion;
        Write taken = other == null ? write : other.around(write);
        if (taken != null) {
            commits.submit(taken);
        }
    }

    /// Reads the key of a condition first: if it were read on the commit thread, all other writes would wait for the
    /// disk. An error here shows when the condition is evaluated.
    @Override
    public long write(WriteBatch batch) throws ConditionFailedException {
        if (batch.condition().needsRead()) {
            try {
                readers.find(batch.mutations().getFirst().key(), Lookup.Filter.NONE, true);
            } catch (EngineException _) {
                // As above.
            }
        }
        return LocalEngine.super.write(batch);
    }

    @Override
    public Cursor scan(byte[] from, byte @Nullable [] to) {
        refuseClosed();
        return scans.open(from, to);
    }

    @Override
    public void read(List<byte[]> keys, RecordSink records) {
        readers.read(keys, records);
    }

    @Override
    public Reach tryScan(Range range, int maxBytes, RecordSink records) {
        refuseClosed();
        return readers.tryScan(range, maxBytes, records);
    }

    @Override
    public ChangeFeed changes() {
        return changes;
    }

    @Override
    public void observe(ActivitySink sink) {
        store.figures().observe(sink);
    }

    @Override
    public Health health() {
        List<Health.Check> checks = new ArrayList<>();
        checks.add(new Health.Check(Health.READS, !closed, closed ? "the engine is closed" : "at start: " + recovery));
        checks.add(writes());
        checks.add(check("flush", store.health().flushFailure()));
        checks.add(compaction(store.health()));
        checks.addAll(parts.checks());
        Companion other = companion;
        if (other != null) {
            checks.add(other.check());
        }
        return new Health(checks);
    }

    /// Includes a check of the directory; otherwise a node without writes would not notice its removal.
    private Health.Check writes() {
        EngineException refusal = log.standingRefusal();
        String displaced = refusal != null || directory == null
                ? null
                : directory.storage().displaced();
        return displaced == null ? check(Health.WRITES, refusal) : new Health.Check(Health.WRITES, false, displaced);
    }

    @Override
    public void measure(MetricSink sink) {
        log.measure(sink, commits);
        StoreMetrics.measure(store, sink);
        sink.gauge(
                "kvant_lsm_max_data_bytes",
                "How many bytes --max-data allows; 0 for no bound.",
                options.maxDataBytes() == LsmOptions.UNLIMITED ? 0 : options.maxDataBytes());
        scans.measure(sink);
        recovery.measure(sink);
        Companion other = companion;
        if (other != null) {
            other.measure(sink);
        }
    }

    /// Attaches a companion to health, metrics and writes; before the first write.
    public void accompany(Companion other) {
        companion = other;
    }

    @Override
    public @Nullable Maintenance maintenance() {
        return maintenance;
    }

    /// For tests.
    Store store() {
        return store;
    }

    /// The result of opening the store.
    public RecoveryReport recovery() {
        return recovery;
    }

    /// Waits until flushes and merges have caught up with the writes; for tools, benchmarks and tests.
    public void awaitRest() {
        compactor.awaitRest();
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        store.backlog().drain();
        commits.close();
        closed = true;
        store.beginClose();
        if (maintenance != null) {
            maintenance.awaitEnd();
        }
        flush.join();
        compactor.join();
        if (expiry != null) {
            expiry.close();
        }
        try {
            store.close();
        } catch (IOException e) {
            throw new EngineException.Io("cannot close the store", e);
        } finally {
            if (directory != null) {
                directory.close();
            }
        }
    }

    private void refuseClosed() {
        if (closed) {
            throw new EngineException.Closed();
        }
    }

    /// Damage of some tables does not make the store unready: all its other data is read, written and merged.
    private static Health.Check compaction(StoreHealth health) {
        EngineException damage = health.quarantine().reason();
        EngineException failure = health.compactionFailure();
        return failure != null || damage == null
                ? check("compaction", failure)
                : new Health.Check(
                        "compaction",
                        true,
                        "continues without " + health.quarantine().tables().size()
                                + " of the tables, which cannot be read: " + damage.getMessage());
    }

    private static Health.Check check(String name, @Nullable EngineException failure) {
        return new Health.Check(
                name, failure == null, failure == null ? "nothing is wrong" : String.valueOf(failure.getMessage()));
    }

    private static EngineException cannotOpen(String where, IOException e) {
        if (e instanceof StorageFullException) {
            return new EngineException.StorageFull("cannot open " + where + ": " + e.getMessage());
        }
        String reason = e instanceof AccessDeniedException denied
                ? "no permission for " + denied.getFile() + ": give this user read and write permission there"
                : OwnFiles.reason(e);
        return new EngineException.CannotOpen("cannot open " + where + ": " + reason, e);
    }
}
