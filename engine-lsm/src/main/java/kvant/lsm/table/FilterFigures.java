package kvant.lsm.table;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import kvant.engine.MetricSink;

/// How well the filters of a store's tables work. Sampled: one question in [#EVERY] is counted, as that
/// many, to keep shared counters out of most gets. Chosen at random, not by the key: then one key that is
/// asked for all the time counts for what it is.
final class FilterFigures {

    static final int EVERY = 64;

    private final LongAdder asked = new LongAdder();
    private final LongAdder passed = new LongAdder();
    private final LongAdder inVain = new LongAdder();

    static boolean isSampled() {
        return (ThreadLocalRandom.current().nextInt() & EVERY - 1) == 0;
    }

    /// Counts a question that was sampled.
    ///
    /// @param letThrough what the filter said
    /// @param found whether the table knew the key
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
