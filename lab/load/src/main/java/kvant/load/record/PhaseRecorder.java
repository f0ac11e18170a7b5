package kvant.load.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

    // Constant.
    private final RequestCounts counts = new RequestCounts();
    private final SingleWriterRecorder response = new SingleWriterRecorder(DIGITS);
    private final SingleWriterRecorder service = new SingleWriterRecorder(DIGITS);
    private final SingleWriterRecorder lag = new SingleWriterRecorder(DIGITS);
    private final SingleWriterRecorder punctual = new SingleWriterRecorder(DIGITS);
    private final SingleWriterRecorder errors = new SingleWriterRecorder(DIGITS);
    private final SingleWriterRecorder refused = new SingleWriterRecorder(DIGITS);
    private final @Nullable SingleWriterRecorder[] operations = new SingleWriterRecorder[Operation.COUNT];
    private final List<@Nullable SingleWriterRecorder> all = new ArrayList<>(); // in the order of PhaseTotals
    private final boolean closed;

    /// @param closed whether each request waits for the previous answer: there is then no intended time, only service
    ///     time
    /// @param byOperation whether operations are recorded separately
    public PhaseRecorder(boolean closed, boolean byOperation) {
        this.closed = closed;
        if (byOperation) {
            for (int i = 0; i < operations.length; i++) {
                operations[i] = new SingleWriterRecorder(DIGITS);
            }
        }
        all.addAll(List.of(response, service, lag, punctual, errors, refused));
        all.addAll(Arrays.asList(operations));
    }

    public RequestCounts counts() {
        return counts;
    }

    /// Records send lag: how much later than possible the generator sent a request.
    public void lag(long nanos) {
        lag.recordValue(nanos);
    }

    /// Records the response time without the generator's lateness; for a failed request, the whole response time.
    public void punctual(long responseNanos) {
        if (!closed) {
            punctual.recordValue(Math.max(0, responseNanos));
        }
    }

    /// @param good whether the answer is the wanted one
    public void answered(Operation operation, long responseNanos, long serviceNanos, boolean good) {
        response(operation, responseNanos, good);
        if (!closed) {
            service.recordValue(Math.max(0, serviceNanos));
        }
        if (!good) {
            refused.recordValue(Math.max(0, serviceNanos));
        }
    }

    /// Records a request without an answer, with its waiting time so far.
    public void charged(Operation operation, long waitedNanos) {
        response(operation, waitedNanos, false);
    }

    private void response(Operation operation, long nanos, boolean good) {
        long value = Math.max(0, nanos);
        response.recordValue(value);
        if (!good) {
            errors.recordValue(value);
        }
        SingleWriterRecorder own = operations[operation.ordinal()];
        if (own != null) {
            own.recordValue(value);
        }
    }

    /// The interval histograms, exchanged with the recorders, and their totals.
    ///
    /// Belongs to the collecting thread; one for each recorder.
    public static final class Intervals {

        private final @Nullable Histogram[] last = new Histogram[PhaseTotals.COUNT];
        private final PhaseRecorder recorder;
        private final PhaseTotals into;

        public Intervals(PhaseRecorder recorder, PhaseTotals into) {
            this.recorder = recorder;
            this.into = into;
        }

        /// Adds the records since the last call.
        public void drain() {
            for (int i = 0; i < last.length; i++) {
                SingleWriterRecorder own = recorder.all.get(i);
                if (own != null) {
                    Histogram interval = own.getIntervalHistogram(last[i]);
                    last[i] = interval;
                    into.add(i, interval);
                }
            }
        }
    }
}
