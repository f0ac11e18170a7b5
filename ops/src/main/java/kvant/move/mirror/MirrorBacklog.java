package kvant.move.mirror;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import kvant.engine.EngineException;
import kvant.engine.Mutation;

/// The keys in which the target may differ from the source, and whether the target is to be tried at all.
///
///     BEHIND (differences are not counted) --begin--> TRACKING --fallBehind--> BEHIND
///
/// While it is behind, a client's write is the source's alone: the next copying pass finds what is different. It
/// begins by tracking and reads afterwards, so that each write is in what it reads or is tracked. Any thread may
/// call.
final class MirrorBacklog {

    // Constant.
    private final RepairSet repairs;
    private final CircuitBreaker circuit;

    // Atomic.
    private final AtomicInteger late = new AtomicInteger();
    private final LongAdder failures = new LongAdder();
    private volatile boolean tracking;
    private volatile String reason = "";

    MirrorBacklog(MirrorOptions options) {
        this.repairs = new RepairSet(options.maxRepairBytes());
        this.circuit = new CircuitBreaker(options.pause().toNanos());
    }

    RepairSet repairs() {
        return repairs;
    }

    CircuitBreaker circuit() {
        return circuit;
    }

    boolean isTracking() {
        return tracking;
    }

    /// Why it fell behind last, or what the target refused last.
    String reason() {
        return reason;
    }

    /// Writes past their deadline that are still under way in the target.
    int late() {
        return late.get();
    }

    /// Writes that the target failed, or did not answer in time.
    long failures() {
        return failures.sum();
    }

    /// From now on every difference that a write makes is known.
    void begin() {
        repairs.clear();
        tracking = true;
    }

    void fallBehind(String why) {
        reason = why;
        tracking = false;
        repairs.clear();
    }

    /// Whether a write is to be sent to the target now; its lines are held. If not, it is to be noted.
    boolean sends(List<Mutation> mutations) {
        return tracking && circuit.isClosed() && !repairs.containsAny(mutations);
    }

    /// The target may lack this change of the source; its lines are held.
    void note(List<Mutation> mutations) {
        if (tracking && !repairs.add(mutations, false)) {
            fallBehind("more keys wait for the target than may");
        }
    }

    /// The target has failed a write; its lines are held.
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

    /// The target has not answered in time; the lines of the write are held.
    void late(List<Mutation> mutations, long millis) {
        failures.increment();
        late.incrementAndGet();
        circuit.failed("no answer within " + millis + " ms");
        if (!repairs.add(mutations, true)) {
            fallBehind("more keys wait for the target than may");
        }
    }

    /// A late write has its outcome, whatever it is.
    void lateEnded(List<Mutation> mutations) {
        repairs.doubtEnded(mutations);
        late.decrementAndGet();
    }

    /// Whether the target refuses this write, rather than all writes.
    static boolean isRefusal(EngineException failure) {
        return failure instanceof EngineException.Unsupported;
    }
}
