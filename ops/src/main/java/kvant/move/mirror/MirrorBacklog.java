package kvant.move.mirror;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import kvant.engine.EngineException;
import kvant.engine.Mutation;

/// The keys in which the target may differ from the source, and the circuit breaker for the target.
///
///     BEHIND (differences are not counted) --begin--> TRACKING --fallBehind--> BEHIND
///
/// While the mirror is behind, clients' writes go to the source only, and the next copying pass finds the differences.
/// A pass starts tracking before it reads: each write is therefore in the data read, or is tracked. Any thread may
/// call.
final class MirrorBacklog {

    // Constant.
    final RepairSet repairs;
    final CircuitBreaker circuit;

    // Atomic.
    private final AtomicInteger late = new AtomicInteger();
    private final LongAdder failures = new LongAdder();
    private volatile boolean tracking;
    private volatile String reason = "";

    MirrorBacklog(MirrorOptions options) {
        this.repairs = new RepairSet(options.maxRepairBytes());
        this.circuit = new CircuitBreaker(options.pause().toNanos());
    }

    boolean isTracking() {
        return tracking;
    }

    /// The latest reason for falling behind, or the latest refusal by the target.
    String reason() {
        return reason;
    }

    /// Number of writes past their deadline that are still unfinished in the target.
    int late() {
        return late.get();
    }

    /// Number of writes that failed in the target, or missed their deadline.
    long failures() {
        return failures.sum();
    }

    /// Starts to track every difference caused by a write.
    void begin() {
        repairs.clear();
        tracking = true;
    }

    void fallBehind(String why) {
        reason = why;
        tracking = false;
        repairs.clear();
    }

    /// True if a write must be sent to the target now; the caller holds its lines. If false, the caller must note it.
    boolean sends(List<Mutation> mutations) {
        return tracking && circuit.isClosed() && !repairs.containsAny(mutations);
    }

    /// Notes a change of the source that the target may lack; the caller holds its lines.
    void note(List<Mutation> mutations) {
        if (tracking && !repairs.add(mutations, false)) {
            fallBehind("more keys wait for the target than may");
        }
    }

    /// Notes a write that failed in the target; the caller holds its lines.
    void failed(List<Mutation> mutations, EngineException failure) {
        failures.increment();
        String message = String.valueOf(failure.getMessage());
        if (isRefusal(failure)) {
            reason = message;
            circuit.worked();
        } else {
            circuit.failed(message);
        }
        note(mutations);
    }

    /// Notes a write that the target has not answered in time; the caller holds its lines.
    void late(List<Mutation> mutations, long millis) {
        failures.increment();
        late.incrementAndGet();
        circuit.failed("no answer within " + millis + " ms");
        if (!repairs.add(mutations, true)) {
            fallBehind("more keys wait for the target than may");
        }
    }

    /// Reports the end of a late write, with any outcome.
    void lateEnded(List<Mutation> mutations) {
        repairs.doubtEnded(mutations);
        late.decrementAndGet();
    }

    /// True if the target refuses this particular write, not all writes.
    static boolean isRefusal(EngineException failure) {
        return failure instanceof EngineException.Unsupported;
    }
}
