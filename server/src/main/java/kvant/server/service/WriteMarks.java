package kvant.server.service;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import kvant.engine.WriteBatch;

/// Counts of writes by the hash of their keys. A key without a value has no version; equal marks tell that it has had
/// no value in between either. Any thread may call.
public final class WriteMarks {

    /// The mark of a key that may be written at this moment.
    public static final long UNSURE = -1;

    private static final int SLOT_BITS = 14;

    /// For each slot the number of writes that have begun, and of those that have ended.
    private final AtomicLongArray counts = new AtomicLongArray(2 << SLOT_BITS);

    /// Before a write is handed to the engine.
    void begun(WriteBatch batch) {
        count(batch, 0);
    }

    /// After the outcome of a write is known.
    void ended(WriteBatch batch) {
        count(batch, 1);
    }

    private void count(WriteBatch batch, int which) {
        for (int i = 0; i < batch.mutations().size(); i++) {
            counts.getAndIncrement(slot(batch.mutations().get(i).key()) + which);
        }
    }

    /// A mark of a key, to be taken before the key is read at first, and after it is read once more.
    public long of(byte[] key) {
        int slot = slot(key);
        long ended = counts.get(slot + 1); // first: else a write could begin and end between the two
        return counts.get(slot) == ended ? ended : UNSURE;
    }

    private static int slot(byte[] key) {
        int hash = Arrays.hashCode(key) * 0x9E3779B9; // keys may differ in the last byte alone
        return 2 * (hash >>> Integer.SIZE - SLOT_BITS);
    }
}
