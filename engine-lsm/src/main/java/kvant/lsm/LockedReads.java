package kvant.lsm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import kvant.engine.ActivitySink;
import kvant.engine.Cursor;
import kvant.engine.Engine;
import kvant.engine.GroupCommit;
import kvant.engine.Health;
import kvant.engine.Lookup;
import kvant.engine.Maintenance;
import kvant.engine.MetricSink;
import kvant.engine.Range;
import kvant.engine.Write;
import kvant.lsm.storage.Storage;
import org.jspecify.annotations.Nullable;

/// The published way to read, kept to be measured and not to be used: one lock for everything. A look-up holds it
/// from its beginning to its end, disk included; so does a range while it is opened and in each round of
/// [LockedCursor]; and so does the commit thread for each group, with the stalls and foreground flushes in it.
///
/// As a `synchronized` block the lock lets newcomers overtake, so that under load a thread may wait for long. Only
/// [#tryGet] never waits: where it does not get the lock, the answer would block. The engine beneath knows nothing
/// of this; opened by itself, it has no such lock.
public final class LockedReads implements Engine {

    /// What [#health] calls it, so that a node shows how it was started.
    static final String CHECK = "lock";

    /// The commits of the engine, under the lock. Writes are completed after it was given back.
    private record LockedCommits(GroupCommit.Log log, ReentrantLock lock) implements GroupCommit.Log {

        @Override
        public void commit(List<Write> group) {
            lock.lock();
            try {
                log.commit(group);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public long idleDueNanos() {
            return log.idleDueNanos();
        }

        @Override
        public void idle() {
            log.idle();
        }

        @Override
        public void finish() {
            log.finish();
        }
    }

    private final ReentrantLock lock;
    private final LsmEngine engine;

    private LockedReads(ReentrantLock lock, LsmEngine engine) {
        this.lock = lock;
        this.engine = engine;
    }

    /// Opens a store as [LsmEngine#open] does.
    public static LockedReads open(Path path, LsmOptions options) {
        ReentrantLock lock = new ReentrantLock();
        return new LockedReads(lock, LsmEngine.open(path, options, log -> new LockedCommits(log, lock)));
    }

    /// Opens a store in any storage; for tests that replace the disk.
    static LockedReads open(Storage storage, LsmOptions options) {
        ReentrantLock lock = new ReentrantLock();
        return new LockedReads(lock, LsmEngine.open(storage, options, null, log -> new LockedCommits(log, lock)));
    }

    @Override
    public Lookup tryGet(byte[] key) {
        if (!lock.tryLock()) {
            return Lookup.Miss.WOULD_BLOCK;
        }
        try {
            return engine.tryGet(key);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Lookup get(byte[] key) {
        lock.lock();
        try {
            return engine.get(key);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Lookup[] getAll(byte[][] keys) {
        lock.lock();
        try {
            return engine.getAll(keys);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void submit(Write write) {
        engine.submit(write);
    }

    @Override
    public Cursor scan(byte[] from, byte @Nullable [] to) {
        return scan(Range.of(from, to));
    }

    /// The bound lies beneath the rounds, so that none reads beyond it.
    @Override
    public Cursor scan(Range range) {
        lock.lock();
        try {
            return new LockedCursor(engine.scan(range), lock);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Health health() {
        List<Health.Check> checks = new ArrayList<>(engine.health().checks());
        checks.add(new Health.Check(CHECK, true, "reads and commits share one lock, as published: for measurements"));
        return new Health(checks);
    }

    @Override
    public void measure(MetricSink sink) {
        engine.measure(sink);
    }

    @Override
    public @Nullable Maintenance maintenance() {
        return engine.maintenance();
    }

    @Override
    public void observe(ActivitySink sink) {
        engine.observe(sink);
    }

    /// Without the lock: the commit thread needs it to finish.
    @Override
    public void close() {
        engine.close();
    }
}
