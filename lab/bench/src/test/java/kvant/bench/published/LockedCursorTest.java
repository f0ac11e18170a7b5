package kvant.bench.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The rounds of a scan under a lock.
@Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LockedCursorTest {

    private static final byte[] VALUE = new byte[1_000];

    private final ReentrantLock lock = new ReentrantLock();
    private int failsAt = Integer.MAX_VALUE;
    private int read;
    private boolean closed;

    /// Records without an end, which notice when they are read without the lock.
    private final Cursor records = new Cursor() {
        @Override
        public boolean next() {
            assertThat(lock.isHeldByCurrentThread()).isTrue();
            if (++read == failsAt) {
                throw new EngineException.Io("injected", null);
            }
            return true;
        }

        @Override
        public byte[] key() {
            return new byte[] {(byte) read};
        }

        @Override
        public byte[] value() {
            return VALUE;
        }

        @Override
        public long version() {
            return read;
        }

        @Override
        public long expiresAtMillis() {
            return 1_000 + read;
        }

        @Override
        public void close() {
            closed = true;
        }
    };

    private final LockedCursor cursor = new LockedCursor(records, lock);

    @Test
    void aRoundIsBoundedAndTheNextOneBeginsWhenItIsUsedUp() {
        assertThat(cursor.next()).isTrue();
        int round = read;
        assertThat(round)
                .isBetween(LockedCursor.ROUND_BYTES / VALUE.length / 2, LockedCursor.ROUND_BYTES / VALUE.length);
        for (int i = 2; i <= round; i++) {
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.version()).isEqualTo(i);
            assertThat(cursor.key()).containsExactly(i);
            assertThat(cursor.expiresAtMillis()).isEqualTo(1_000 + i);
            assertThat(cursor.value()).isSameAs(VALUE);
        }
        assertThat(read).isEqualTo(round);
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.version()).isEqualTo(round + 1);
        assertThat(read).isEqualTo(2 * round);
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void recordsBeforeADamagedOneAreShown() {
        failsAt = 3;
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.next()).isTrue();
        assertThatThrownBy(cursor::next).isInstanceOf(EngineException.Io.class);
        assertThatThrownBy(cursor::next).isInstanceOf(EngineException.Io.class);
        assertThat(read).as("asked no more").isEqualTo(3);
        assertThat(lock.isLocked()).isFalse();
    }

    @Test
    void closingFreesTheSnapshotWithoutTheLock() throws Exception {
        Thread holder = Thread.ofPlatform().start(lock::lock);
        holder.join();
        cursor.close();
        assertThat(closed).isTrue();
    }
}
