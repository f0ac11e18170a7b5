package kvant.move.copy;

import java.util.concurrent.locks.LockSupport;

/// The clocks used by a copy; tests replace them.
public interface Time {

    /// As [System#nanoTime].
    long nanos();

    /// As [System#currentTimeMillis].
    long millis();

    /// Waits for about this time; may return early.
    void sleep(long nanos);

    Time SYSTEM = new Time() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public long millis() {
            return System.currentTimeMillis();
        }

        @Override
        public void sleep(long nanos) {
            LockSupport.parkNanos(nanos);
        }
    };
}
