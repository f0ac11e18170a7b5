package kvant.move.copy;

import java.util.Arrays;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// The records of an endpoint after a key. When a scan is interrupted, by the end of a snapshot, a restarted node or
/// unresponsive replicas, it continues from the last record.
final class Records implements AutoCloseable {

    /// Overhead charged for a record in addition to its bytes, in every byte count.
    private static final int OVERHEAD_BYTES = 32;

    private static final byte[] START = {};

    // Constant.
    private final Endpoint endpoint;
    private final RetryPolicy retries;

    // One thread.
    private @Nullable Cursor cursor;
    private byte @Nullable [] last;
    private byte[] value = START;
    private long expiresAtMillis;

    /// @param after read the records after this key, or null for all
    Records(Endpoint endpoint, byte @Nullable [] after, RetryPolicy retries) {
        this.endpoint = endpoint;
        this.last = after;
        this.retries = retries;
    }

    /// @return false at the end, and when stopped
    /// @throws UserException when the records could not be read after all retries
    boolean next() {
        for (int tries = 1; !retries.isStopped(); tries++) {
            try {
                return advance();
            } catch (EngineException e) {
                close();
                if (!RetryPolicy.isPassing(e) || tries == RetryPolicy.MOST_TRIES) {
                    throw new UserException("cannot read " + endpoint.name() + ": " + e.getMessage(), e);
                }
                retries.sleep(RetryPolicy.waitNanos(tries));
            }
        }
        return false;
    }

    private boolean advance() {
        Cursor at = cursor;
        byte[] before = last;
        if (at == null) {
            at = endpoint.scan(before == null ? START : before);
            cursor = at;
        }
        while (at.next()) {
            byte[] key = at.key();
            if (before == null || !Arrays.equals(key, before)) {
                last = key;
                value = at.value();
                expiresAtMillis = at.expiresAtMillis();
                return true;
            }
        }
        return false;
    }

    byte[] key() {
        byte[] key = last;
        if (key == null) {
            throw new IllegalStateException("no record: next() has not returned true");
        }
        return key;
    }

    byte[] value() {
        return value;
    }

    long expiresAtMillis() {
        return expiresAtMillis;
    }

    /// The size at which the record is counted.
    long bytes() {
        return OVERHEAD_BYTES + (long) key().length + value.length;
    }

    @Override
    public void close() {
        Cursor open = cursor;
        if (open != null) {
            cursor = null;
            open.close();
        }
    }
}
