package kvant.lsm.table;

import java.util.Arrays;

/// An estimate of the time at which half of a table's expiring bytes will have expired. Keeps at most [#LIMIT]
/// expiries: when there are more, every other one is dropped, and from then on only every second, fourth, ... is
/// taken. Belongs to one thread.
final class ExpirySample {

    /// No record expires.
    static final long NEVER = 0;

    private static final int LIMIT = 256;

    private final long[] expiries = new long[LIMIT];
    private int size;
    private long stride = 1;
    private long seen;
    private long bytes;

    /// @param recordBytes of key and value
    void add(long expiresAtMillis, long recordBytes) {
        bytes += recordBytes;
        if (seen++ % stride != 0) {
            return;
        }
        if (size == LIMIT) {
            for (int i = 0; i < LIMIT / 2; i++) {
                expiries[i] = expiries[2 * i];
            }
            size = LIMIT / 2;
            stride *= 2;
            if ((seen - 1) % stride != 0) {
                return;
            }
        }
        expiries[size++] = expiresAtMillis;
    }

    /// Bytes of all records that expire.
    long bytes() {
        return bytes;
    }

    /// Milliseconds since the epoch, or [#NEVER].
    long medianMillis() {
        if (size == 0) {
            return NEVER;
        }
        long[] sorted = Arrays.copyOf(expiries, size);
        Arrays.sort(sorted);
        return Math.max(1, sorted[size / 2]);
    }
}
