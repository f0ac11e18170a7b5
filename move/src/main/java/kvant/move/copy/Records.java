package kvant.move.copy;

import java.util.Arrays;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import org.jspecify.annotations.Nullable;

/// All records of a home behind a key, however often its scan is broken off: by the life of a snapshot, by a node
/// that is restarted, by replicas that do not answer. Goes on from the last record then.
///
/// Belongs to one thread.
final class Records implements AutoCloseable {

    /// What a record is charged beyond its bytes, wherever bytes are counted.
    private static final int OVERHEAD_BYTES = 32;

    private static final byte[] START = {};

    // Constant.
    private final Home home;
    private final Patience patience;

    // One thread.
    private @Nullable Cursor cursor;
    private byte @Nullable [] last;
    private byte[] value = START;
    private long expiresAtMillis;

    /// @param after the records behind this key, or null for all
    Records(Home home, byte @Nullable [] after, Patience patience) {
        this.home = home;
        this.last = after;
        this.patience = patience;
    }

    /// @return false at the end, and when asked to stop
    /// @throws CopyException when it could not be read, however often it was tried
    boolean next() {
        for (int tries = 1; !patience.isStopped(); tries++) {
            try {
                return advance();
            } catch (EngineException e) {
                close();
                if (!Patience.isPassing(e) || tries == Patience.MOST_TRIES) {
                    throw new CopyException("cannot read " + home.name() + ": " + e.getMessage(), e);
                }
                patience.sleep(Patience.waitNanos(tries));
            }
        }
        return false;
    }

    private boolean advance() {
        Cursor at = cursor;
        byte[] before = last;
        if (at == null) {
            at = home.scan(before == null ? START : before);
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

    /// How much the record counts for.
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
