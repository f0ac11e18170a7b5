package kvant.move.copy;

import java.util.concurrent.locks.LockSupport;

/// The clocks that a copy goes by; tests have their own.
public interface Time {

    /// As [System#nanoTime].
    long nanos();

    /// As [System#currentTimeMillis].
    long millis();

    /// Waits about so long; may return early.
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
