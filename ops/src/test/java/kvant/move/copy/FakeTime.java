package kvant.move.copy;

import java.util.function.BooleanSupplier;

/// Clocks that only sleep moves.
final class FakeTime extends RetryPolicy {

    long nanos;
    long millis = 1_000_000;
    long longestSleepNanos;
    private BooleanSupplier stopped = () -> false;

    FakeTime() {
        super(() -> false);
    }

    FakeTime stoppedBy(BooleanSupplier stop) {
        stopped = stop;
        return this;
    }

    @Override
    boolean isStopped() {
        return stopped.getAsBoolean();
    }

    @Override
    long nanos() {
        return nanos;
    }

    @Override
    long millis() {
        return millis;
    }

    @Override
    void park(long sleepNanos) {
        nanos += sleepNanos;
        millis += sleepNanos / 1_000_000;
        longestSleepNanos = Math.max(longestSleepNanos, sleepNanos);
    }
}
