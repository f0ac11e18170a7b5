package kvant.move.copy;

/// Clocks that only sleep moves.
final class FakeTime implements Time {

    long nanos;
    long millis = 1_000_000;
    long longestSleepNanos;

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public long millis() {
        return millis;
    }

    @Override
    public void sleep(long sleepNanos) {
        nanos += sleepNanos;
        millis += sleepNanos / 1_000_000;
        longestSleepNanos = Math.max(longestSleepNanos, sleepNanos);
    }
}
