package kvant.load.host;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import kvant.text.Units;

/// A warning when the machine is busy with other work before a run, because the measurement would include that work.
public final class BusyHost {

    /// Share of the processors that other processes may use.
    private static final double QUIET = 0.2;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private BusyHost() {}

    /// Observes the machine briefly.
    ///
    /// @param sleep waits for some nanoseconds
    /// @param person receives a line, unless the machine is quiet or its load is unknown
    public static void warn(LongConsumer sleep, Consumer<String> person) {
        HostWatch watch = HostWatch.ofThisMachine();
        sleep.accept(LOOK_NANOS);
        watch.look();
        String warning = warning(watch.facts());
        if (!warning.isEmpty()) {
            person.accept(warning);
        }
    }

    /// The warning, or empty.
    static String warning(HostFacts facts) {
        boolean busy = facts.otherProcessors() > QUIET * facts.processors();
        boolean stolen = facts.stolenShare() > HostWatch.DISTURBED;
        return !busy && !stolen
                ? ""
                : Units.format(
                        "this machine is busy before the run begins: other processes use %.1f of %d processors, and"
                                + " %.0f %% of the time is stolen by its host; figures may be disturbed",
                        facts.otherProcessors(), facts.processors(), 100 * Math.max(0, facts.stolenShare()));
    }
}
