package kvant.bench.published;

import java.util.concurrent.locks.ReentrantLock;
import kvant.engine.Cursor;
import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.Range;
import kvant.engine.RecordSink;
import kvant.engine.kit.ForwardingEngine;

/// The published way of reading, for measurements only: one lock for everything. A lookup holds it throughout,
/// including disk access. A range holds it while it is opened and in each round of [LockedCursor]. The commit thread
/// holds it for each group ([PublishedCommits]).
///
/// The lock is unfair, like a `synchronized` block, so a thread may wait for a long time under load. Only [#tryGet] and
/// [#tryScan] never wait: without the lock they report that the answer would block. Closing does not take the lock,
/// which the commit thread needs to finish. The wrapped engine has no such lock.
final class LockedReads extends ForwardingEngine {

    private final ReentrantLock lock;

    LockedReads(ReentrantLock lock, LocalEngine engine) {
        super(engine);
        this.lock = lock;
    }

    @Override
    public Lookup tryGet(byte[] key) {
        if (!lock.tryLock()) {
            return Lookup.Miss.WOULD_BLOCK;
        }
        try {
            return super.tryGet(key);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Reach tryScan(Range range, int maxBytes, RecordSink records) {
        if (!lock.tryLock()) {
            return Reach.WOULD_BLOCK;
        }
        try {
            return super.tryScan(range, maxBytes, records);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Lookup get(byte[] key) {
        lock.lock();
        try {
            return super.get(key);
        } finally {
            lock.unlock();
        }
    }

    /// The limit is applied below the rounds, so that no round reads beyond it.
    @Override
    public Cursor scan(Range range) {
        lock.lock();
        try {
            return new LockedCursor(super.scan(range), lock);
        } finally {
            lock.unlock();
        }
    }
}
