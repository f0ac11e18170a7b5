package kvant.bench.published;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import org.jspecify.annotations.Nullable;

/// A scan that reads in rounds, each under the lock of [LockedReads] from its first record to its last. The lock is
/// released between rounds, however slow the reader is. Belongs to one thread at a time.
final class LockedCursor implements Cursor {

    /// Size of a round: approximately one write of a node.
    static final int ROUND_BYTES = 64 << 10;

    /// Overhead charged for a record in addition to its bytes, so that a round of empty values is bounded too.
    private static final int RECORD_OVERHEAD_BYTES = 64;

    private record Entry(byte[] key, byte[] value, long version, long expiresAtMillis) {}

    // Constant.
    private final Cursor records;
    private final ReentrantLock lock;

    // One thread.
    private final Deque<Entry> round = new ArrayDeque<>();
    private Entry current = new Entry(new byte[0], new byte[0], 0, 0);
    private boolean ended;
    private @Nullable EngineException failure;

    LockedCursor(Cursor records, ReentrantLock lock) {
        this.records = records;
        this.lock = lock;
    }

    @Override
    public boolean next() {
        if (round.isEmpty() && !ended) {
            readRound();
        }
        Entry next = round.poll();
        if (next != null) {
            current = next;
            return true;
        }
        if (failure != null) {
            throw failure;
        }
        return false;
    }

    /// A failure is thrown after the records before it, as in a scan without rounds.
    private void readRound() {
        lock.lock();
        try {
            for (long bytes = 0; bytes < ROUND_BYTES && !ended; ) {
                if (records.next()) {
                    Entry entry =
                            new Entry(records.key(), records.value(), records.version(), records.expiresAtMillis());
                    round.add(entry);
                    bytes += (long) entry.key.length + entry.value.length + RECORD_OVERHEAD_BYTES;
                } else {
                    ended = true;
                }
            }
        } catch (EngineException e) {
            ended = true;
            failure = e;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public byte[] key() {
        return current.key;
    }

    @Override
    public byte[] value() {
        return current.value;
    }

    @Override
    public long version() {
        return current.version;
    }

    @Override
    public long expiresAtMillis() {
        return current.expiresAtMillis;
    }

    @Override
    public void close() {
        round.clear();
        records.close();
    }
}
