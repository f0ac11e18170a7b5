package kvant.lsm.table;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import kvant.engine.MetricSink;

/// The effect of the filters of a store's tables. Sampled: one probe in [#EVERY] is counted, as that many, to
/// keep shared counters out of most gets. Sampled at random, not by key, so that a hot key has its real weight.
final class FilterFigures {

    static final int EVERY = 64;

    private final LongAdder asked = new LongAdder();
    private final LongAdder passed = new LongAdder();
    private final LongAdder inVain = new LongAdder();

    static boolean isSampled() {
        return (ThreadLocalRandom.current().nextInt() & EVERY - 1) == 0;
    }

    /// Counts a sampled probe.
    ///
    /// @param letThrough the answer of the filter
    /// @param found whether the table had the key
    void asked(boolean letThrough, boolean found) {
        asked.increment();
        if (letThrough) {
            passed.increment();
            if (!found) {
                inVain.increment();
            }
        }
    }

    void measure(MetricSink sink) {
        String note = " Extrapolated from one in " + EVERY + ".";
        sink.counter("kvant_lsm_filter_asked_total", "Questions to the filter of a table." + note, all(asked));
        sink.counter("kvant_lsm_filter_passed_total", "Questions that a filter let through." + note, all(passed));
        sink.counter(
                "kvant_lsm_filter_passed_in_vain_total",
                "Questions that a filter let through although the table did not know the key." + note,
                all(inVain));
    }

    private static double all(LongAdder counted) {
        return (double) counted.sum() * EVERY;
    }
}
