package kvant.load.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import kvant.load.workload.Operation;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

/// What one loop records of one phase of a run: histograms in nanoseconds with three digits, and counters.
///
/// One thread writes; another takes the histograms of the last interval, again and again, without stopping the writer.
/// Recorders grow to the largest value that they meet, so that their size follows the spread of the latencies and not
/// the length of the run.
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

    /// @param closed whether the next request waits for the last answer: then there is no intended time, and service
    ///     time is all there is
    /// @param byOperation whether operations are told apart
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

    /// The generator's own fault: how much later than possible it sent.
    public void lag(long nanos) {
        lag.recordValue(nanos);
    }

    /// What the response time would have been, had the generator never sent late; of a request that failed, all of it.
    public void punctual(long responseNanos) {
        if (!closed) {
            punctual.recordValue(Math.max(0, responseNanos));
        }
    }

    /// @param good whether the answer is what was asked for
    public void answered(Operation operation, long responseNanos, long serviceNanos, boolean good) {
        response(operation, responseNanos, good);
        if (!closed) {
            service.recordValue(Math.max(0, serviceNanos));
        }
        if (!good) {
            refused.recordValue(Math.max(0, serviceNanos));
        }
    }

    /// A request without an answer is charged with the time that it waited so far.
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

    /// The histograms of intervals, handed back and forth with the recorders, and their totals.
    ///
    /// Owned by the thread that collects; one for each recorder.
    public static final class Intervals {

        private final @Nullable Histogram[] last = new Histogram[PhaseTotals.COUNT];
        private final PhaseRecorder recorder;
        private final PhaseTotals into;

        public Intervals(PhaseRecorder recorder, PhaseTotals into) {
            this.recorder = recorder;
            this.into = into;
        }

        /// Adds what was recorded since the last call.
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
