package kvant.lsm;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import kvant.engine.ActivitySink;
import kvant.engine.Cursor;
import kvant.engine.DataDirectory;
import kvant.engine.Engine;
import kvant.engine.EngineException;
import kvant.engine.GroupCommit;
import kvant.engine.Health;
import kvant.engine.Lookup;
import kvant.engine.Maintenance;
import kvant.engine.MetricSink;
import kvant.engine.Write;
import kvant.lsm.storage.DiskStorage;
import kvant.lsm.storage.Storage;
import org.jspecify.annotations.Nullable;

/// Kvant's own engine: a log-structured merge tree, durable by default.
///
/// Any thread may call it. Reads take no lock; see [SuperVersion#find]. Writes go through one commit thread;
/// see [CommitLog]. Two more threads flush and merge; see [Background].
public final class LsmEngine implements Engine {

    /// What the data directory is marked with.
    public static final String NAME = "lsm";

    /// The directory in a data directory that holds its files.
    static final String FILES = "lsm";

    // Constant.
    private final LsmOptions options;
    private final @Nullable DataDirectory directory;
    private final Store store;
    private final SpaceGuard space;
    private final CommitFigures figures = new CommitFigures();
    private final GroupCommit commits;
    private final Background background;
    private final RecoveryReport recovery;
    private final @Nullable LsmMaintenance maintenance;

    // Written once.
    private volatile boolean closed;

    private LsmEngine(
            Storage storage,
            LsmOptions options,
            @Nullable DataDirectory directory,
            UnaryOperator<GroupCommit.Log> aroundCommits)
            throws IOException {
        this.options = options;
        this.directory = directory;
        Recovery recovered = Recovery.run(storage, options);
        this.recovery = recovered.report();
        this.store = new Store(storage, options, recovered.versions(), recovered.memtable(), recovered.lastSequence());
        this.space = new SpaceGuard(storage, options.headroomBytes());
        CommitLog log = beginLog(storage, recovered);
        this.background = new Background(store, options);
        this.commits = new GroupCommit("kvant-lsm-commit", options.commit(), aroundCommits.apply(flushing(log)));
        this.maintenance = directory == null ? null : maintenance(directory);
        background.start();
    }

    private LsmMaintenance maintenance(DataDirectory held) {
        return new LsmMaintenance(this, store, options, held.path().resolve(FILES), new Checkpoint.RealDisk());
    }

    private CommitLog beginLog(Storage storage, Recovery recovered) throws IOException {
        boolean begun = false;
        try {
            CommitLog log = new CommitLog(
                    storage,
                    options,
                    store,
                    space,
                    figures,
                    recovered.end(),
                    recovered.logsInMemtable(),
                    recovered.emptyLogs());
            begun = true;
            return log;
        } finally {
            if (!begun) {
                store.close();
            }
        }
    }

    private GroupCommit.Log flushing(CommitLog log) {
        return switch (options.flush()) {
            case BACKGROUND -> log;
            case FOREGROUND -> new ForegroundFlush(log, store, options);
        };
    }

    /// Opens a store, or creates one where there is none.
    ///
    /// @throws EngineException.CannotOpen when the directory is held, of another engine, of a newer version
    ///     or not permitted
    /// @throws EngineException.Corruption when a file that the store needs is damaged or missing
    /// @throws EngineException.StorageFull when there is no room even to begin a log
    public static LsmEngine open(Path path, LsmOptions options) {
        return open(path, options, UnaryOperator.identity());
    }

    /// Opens a store with something around its commits; see [LockedReads].
    static LsmEngine open(Path path, LsmOptions options, UnaryOperator<GroupCommit.Log> aroundCommits) {
        options.table().requireLibraries(); // now, and not at the first flush
        DataDirectory directory = DataDirectory.open(path, NAME);
        boolean opened = false;
        try {
            LsmEngine engine = open(DiskStorage.open(path.resolve(FILES)), options, directory, aroundCommits);
            opened = true;
            return engine;
        } catch (IOException e) {
            throw cannotOpen(path.toString(), e);
        } finally {
            if (!opened) {
                directory.close();
            }
        }
    }

    /// Opens a store in any storage; for tests that replace the disk.
    static LsmEngine open(Storage storage, LsmOptions options, @Nullable DataDirectory directory) {
        return open(storage, options, directory, UnaryOperator.identity());
    }

    static LsmEngine open(
            Storage storage,
            LsmOptions options,
            @Nullable DataDirectory directory,
            UnaryOperator<GroupCommit.Log> aroundCommits) {
        try {
            return new LsmEngine(storage, options, directory, aroundCommits);
        } catch (IOException e) {
            throw cannotOpen(storage.describe(""), e);
        }
    }

    @Override
    public Lookup tryGet(byte[] key) {
        return read(key, false);
    }

    @Override
    public Lookup get(byte[] key) {
        return read(key, true);
    }

    @Override
    public Lookup[] getAll(byte[][] keys) {
        refuseClosed();
        return MultiGet.find(store, keys);
    }

    @Override
    public void submit(Write write) {
        options.limits().check(write.batch());
        commits.submit(write);
    }

    @Override
    public Cursor scan(byte[] from, byte @Nullable [] to) {
        refuseClosed();
        // The view first: whatever it holds has at most the sequence number that is read after it.
        SuperVersion view = store.acquire();
        return new ScanCursor(store, view, store.visibleSequence(), from, to, options.maxScanLife());
    }

    @Override
    public void observe(ActivitySink sink) {
        store.operations().figures().observe(sink);
    }

    @Override
    public Health health() {
        List<Health.Check> checks = new ArrayList<>();
        checks.add(new Health.Check(Health.READS, !closed, closed ? "the engine is closed" : "at start: " + recovery));
        checks.add(check(Health.WRITES, store.writeFailure() != null ? store.writeFailure() : space.refusal()));
        checks.add(check("flush", store.flushTrouble()));
        checks.add(check("compaction", store.compactionTrouble()));
        return new Health(checks);
    }

    @Override
    public void measure(MetricSink sink) {
        figures.measure(sink, commits, store.backlog().now());
        StoreMetrics.measure(store, recovery, sink);
        store.measure(sink);
    }

    @Override
    public @Nullable Maintenance maintenance() {
        return maintenance;
    }

    /// For tests.
    Store store() {
        return store;
    }

    /// What opening found.
    public RecoveryReport recovery() {
        return recovery;
    }

    /// Waits until flushes and merges have caught up with what was written; for tools, benchmarks and tests.
    public void awaitRest() {
        background.compactor().awaitRest();
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
        background.join();
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

    private Lookup read(byte[] key, boolean mayBlock) {
        refuseClosed();
        return store.find(key, mayBlock);
    }

    private void refuseClosed() {
        if (closed) {
            throw new EngineException.Closed();
        }
    }

    private static Health.Check check(String name, @Nullable EngineException trouble) {
        return new Health.Check(
                name, trouble == null, trouble == null ? "nothing is wrong" : String.valueOf(trouble.getMessage()));
    }

    private static EngineException cannotOpen(String where, IOException e) {
        if (e instanceof kvant.lsm.storage.StorageFullException) {
            return new EngineException.StorageFull("cannot open " + where + ": " + e.getMessage());
        }
        return new EngineException.CannotOpen("cannot open " + where + ": " + reason(e), e);
    }

    /// The JDK's messages about files often hold no more than a name.
    private static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException denied ->
                "no permission for " + denied.getFile() + ": give this user read and write permission there";
            case FileSystemException file
            when file.getReason() == null -> file.getClass().getSimpleName() + " " + file.getFile();
            default -> String.valueOf(e.getMessage());
        };
    }
}
