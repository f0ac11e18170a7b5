package kvant.load.run;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import kvant.load.plan.LoadPlan;
import kvant.load.record.PhaseTotals;
import kvant.load.record.RequestCounts;
import kvant.load.record.SlowestRequests;
import kvant.load.workload.Operation;

/// What a run found.
///
/// @param startedAt wall clock at the start of the measured time
/// @param elapsedNanos the measured time, up to the last answer where that came later
/// @param warmup what was left out
/// @param partial why the run did not end as planned, or empty
/// @param slowest those that the plan asked for
/// @param strays connections that were given up because they sent what nobody had asked for
/// @param distinctKeys existing keys that were asked for, -1 where they were not counted
/// @param insertedKeys new keys that were put
/// @param busy share of its time that the busiest thread of the generator computed, or waited for a core
/// @param cpuNanos processor time of the generator's threads, warm-up included
/// @param sentWithWarmup requests in that time
public record RunResult(
        LoadPlan plan,
        Instant startedAt,
        long elapsedNanos,
        WarmupResult warmup,
        RequestCounts counts,
        PhaseTotals totals,
        SlowestRequests slowest,
        long reconnects,
        long refusedConnects,
        long strays,
        long distinctKeys,
        long insertedKeys,
        double busy,
        long cpuNanos,
        long sentWithWarmup,
        String partial,
        String lastTrouble) {

    /// @param stable whether the windows agreed; always true for a warm-up of a fixed length
    public record WarmupResult(double seconds, boolean stable, long requests, long errors) {}

    /// Answers a second.
    public double achievedRate() {
        return elapsedNanos <= 0 ? 0 : counts.answeredCount() * 1e9 / elapsedNanos;
    }

    /// Those that were asked for, of a run that tells them apart.
    public List<Operation> usedOperations() {
        List<Operation> used = new ArrayList<>();
        for (Operation operation : Operation.values()) {
            if (operation != Operation.PLAIN && totals.operation(operation).getTotalCount() > 0) {
                used.add(operation);
            }
        }
        return used;
    }

    public boolean isPartial() {
        return !partial.isEmpty();
    }

    public Validity validity() {
        return Validity.of(this);
    }
}
