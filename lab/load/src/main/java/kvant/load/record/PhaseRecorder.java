package kvant.load.record;

import kvant.load.workload.Operation;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/// The records of one loop for one phase of a run: histograms in nanoseconds with three digits, and counters.
///
/// One thread writes; another takes the histograms of the last interval repeatedly, without blocking the writer. A
/// recorder grows to the largest recorded value, so that its size depends on the range of the latencies, not on the
/// length of the run.
public final class PhaseRecorder {

    /// Digits of precision: 0.1 % of a value.
    public static final int DIGITS = 3;

    // Constant. A recorder for each figure of PhaseTotals; null for a figure that is not recorded.
    private final @Nullable SingleWriterRecorder[] all = new SingleWriterRecorder[PhaseTotals.COUNT];
    private final RequestCounts counts = new RequestCounts();

    // Owned by the collecting thread: the last interval of each recorder, exchanged at the next drain.
    private final @Nullable Histogram[] last = new Histogram[PhaseTotals.COUNT];

    /// @param closed whether each request waits for the previous answer: there is then no intended time, only service
    ///     time
    /// @param byOperation whether operations are recorded separately
    public PhaseRecorder(boolean closed, boolean byOperation) {
        for (int i = 0; i < all.length; i++) {
            boolean isOfSchedule = i == PhaseTotals.SERVICE || i == PhaseTotals.PUNCTUAL;
            if (i < PhaseTotals.FIRST_OPERATION ? !closed || !isOfSchedule : byOperation) {
                all[i] = new SingleWriterRecorder(DIGITS);
            }
        }
    }

    public RequestCounts counts() {
        return counts;
    }

    private void add(int what, long nanos) {
        SingleWriterRecorder own = all[what];
        if (own != null) {
            own.recordValue(Math.max(0, nanos));
        }
    }

    /// Records send lag: how much later than possible the generator sent a request.
    public void lag(long nanos) {
        add(PhaseTotals.LAG, nanos);
    }

    /// Records the response time without the generator's lateness; for a failed request, the whole response time.
    public void punctual(long responseNanos) {
        add(PhaseTotals.PUNCTUAL, responseNanos);
    }

    /// @param good whether the answer is the wanted one
    public void answered(Operation operation, long responseNanos, long serviceNanos, boolean good) {
        response(operation, responseNanos, good);
        add(PhaseTotals.SERVICE, serviceNanos);
        if (!good) {
            add(PhaseTotals.REFUSED, serviceNanos);
        }
    }

    /// Records a request without an answer, with its waiting time so far.
    public void charged(Operation operation, long waitedNanos) {
        response(operation, waitedNanos, false);
    }

    private void response(Operation operation, long nanos, boolean good) {
        add(PhaseTotals.RESPONSE, nanos);
        if (!good) {
            add(PhaseTotals.ERRORS, nanos);
        }
        add(PhaseTotals.FIRST_OPERATION + operation.ordinal(), nanos);
    }

    /// Moves the records since the last call to their totals.
    public void drain(PhaseTotals into) {
        for (int i = 0; i < all.length; i++) {
            SingleWriterRecorder own = all[i];
            if (own != null) {
                Histogram interval = own.getIntervalHistogram(last[i]);
                last[i] = interval;
                into.add(i, interval);
            }
        }
    }
}
