package kvant.bench.published;

import java.util.concurrent.locks.ReentrantLock;
import kvant.engine.Cursor;
import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.Range;
import kvant.engine.RecordSink;
import kvant.engine.kit.ForwardingEngine;

/// The published way to read, for measurements only: one lock for everything. A look-up holds it from its
/// beginning to its end, disk included; so does a range while it is opened and in each round of [LockedCursor];
/// and so does the commit thread for each group ([PublishedCommits]).
///
/// The lock is unfair, as a `synchronized` block is, so that under load a thread may wait for long. Only [#tryGet] and
/// [#tryScan] never wait: where they do not get the lock, the answer would block. It is closed without the lock, which
/// the commit thread needs to finish. The wrapped engine has no such lock of its own.
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

    /// The bound lies beneath the rounds, so that none reads beyond it.
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
