package kvant.server.request;

import java.util.Arrays;
import kvant.engine.RecordSink;
import org.jspecify.annotations.Nullable;

/// The records of one round of an answer in rounds, reused from round to round.
///
/// Belongs to the worker that fills it, then to the event loop that writes it out, never to both: the
/// hand-over through executor and mailbox publishes the fields.
public class RecordBatch implements RecordSink {

    private static final int INITIAL_RECORDS = 16;
    private static final byte[] NOTHING = {};

    /// Bytes charged for a record beyond its content, so that many empty values are bounded too.
    public static final int RECORD_OVERHEAD_BYTES = 64;

    private byte[][] keys = new byte[INITIAL_RECORDS][];
    private byte[][] values = new byte[INITIAL_RECORDS][];
    private long[] ends = new long[INITIAL_RECORDS];
    private int count;
    private boolean last;
    private Outcome.@Nullable Failed failure;

    public final int count() {
        return count;
    }

    public byte[] key(int index) {
        return keys[index];
    }

    public byte[] value(int index) {
        return values[index];
    }

    /// The expiry time of the value, in milliseconds since the epoch; 0 for no expiry.
    public long expiresAtMillis(int index) {
        return ends[index];
    }

    /// Releases a record that has been written out, so that a large value does not outlive its turn.
    public void release(int index) {
        keys[index] = NOTHING;
        values[index] = NOTHING;
    }

    /// Whether this is the last round.
    public boolean last() {
        return last;
    }

    /// Why the scan broke off after these records, if it did; then this is the last batch.
    public Outcome.@Nullable Failed failure() {
        return failure;
    }

    /// Its approximate memory.
    public final long bytes() {
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += (long) keys[i].length + values[i].length + RECORD_OVERHEAD_BYTES;
        }
        return bytes;
    }

    public final void clear() {
        Arrays.fill(keys, 0, count, NOTHING);
        Arrays.fill(values, 0, count, NOTHING);
        count = 0;
    }

    @Override
    public final void take(byte[] key, byte[] value, long version, long expiresAtMillis) {
        add(key, value, expiresAtMillis);
    }

    public final void add(byte[] key, byte[] value, long expiresAtMillis) {
        if (count == keys.length) {
            keys = Arrays.copyOf(keys, count * 2);
            values = Arrays.copyOf(values, count * 2);
            ends = Arrays.copyOf(ends, count * 2);
        }
        keys[count] = key;
        values[count] = value;
        ends[count] = expiresAtMillis;
        count++;
    }

    public void complete() {
        last = true;
    }

    public void breakOff(Outcome.Failed reason) {
        last = true;
        failure = reason;
    }
}
