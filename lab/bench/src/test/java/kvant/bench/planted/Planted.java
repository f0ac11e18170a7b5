package kvant.bench.planted;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import kvant.text.Units;

/// By how much look-ups are slower, and in which way.
///
///     delay=10ms        each waits
///     slow=2%:10ms      some of them wait: two of a hundred
///     burn=2ms          each computes
sealed interface Planted {

    /// The forms of `--planted`.
    String FORMS = "delay=TIME, slow=SHARE:TIME or burn=TIME";

    /// At most: a worker that is asked is held for so long.
    Duration LONGEST = Duration.ofSeconds(10);

    record Nothing() implements Planted {}

    record Delay(long nanos) implements Planted {}

    /// @param every one look-up of so many
    record Slow(int every, long nanos) implements Planted {}

    record Burn(long nanos) implements Planted {}

    /// @throws IllegalArgumentException with a line for a person
    static Planted parse(String text) {
        int equals = text.indexOf('=');
        String value = text.substring(equals + 1);
        return switch (equals < 0 ? "" : text.substring(0, equals)) {
            case "delay" -> new Delay(nanos(value));
            case "burn" -> new Burn(nanos(value));
            case "slow" -> slow(value);
            default -> throw new IllegalArgumentException("'" + text + "' is none of " + FORMS);
        };
    }

    private static Slow slow(String value) {
        int colon = value.indexOf(':');
        String share = value.substring(0, Math.max(0, colon));
        if (!share.matches("\\d{1,2}(\\.\\d{1,2})?%") || Double.parseDouble(share.replace("%", "")) == 0) {
            throw new IllegalArgumentException("'" + value + "' is not a share and a time such as 2%:10ms");
        }
        double percent = Double.parseDouble(share.replace("%", ""));
        return new Slow((int) Math.max(1, Math.round(100 / percent)), nanos(value.substring(colon + 1)));
    }

    private static long nanos(String text) {
        Duration time = Units.duration(text);
        if (!time.isPositive() || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("'" + text + "' is not a time above 0 and at most 10s");
        }
        return time.toNanos();
    }

    /// Takes its time.
    ///
    /// @param lookup counts the look-ups of the engine, from 1
    default void pass(long lookup) {
        switch (this) {
            case Nothing _ -> {}
            case Delay delay -> await(delay.nanos);
            case Slow slow -> {
                if (lookup % slow.every == 0) {
                    await(slow.nanos);
                }
            }
            case Burn burn -> compute(burn.nanos);
        }
    }

    private static void await(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /// Processor time, which a thread that has to wait for a processor does not spend.
    private static void compute(long nanos) {
        long end = ThreadTime.nanos() + nanos;
        while (ThreadTime.nanos() < end) {
            Thread.onSpinWait();
        }
    }
}
