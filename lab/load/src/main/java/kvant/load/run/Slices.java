package kvant.load.run;

import java.util.List;
import java.util.function.ToLongFunction;
import kvant.load.host.HostFacts;
import kvant.load.plan.LoadPlan;
import kvant.load.record.PhaseTotals;
import kvant.load.record.RequestCounts;
import kvant.load.record.SlowestRequests;

/// Combines runs on the same server that were measured in slices into one result on a common timeline.
public final class Slices {

    private Slices() {}

    /// @param plan specification of the combined run
    /// @param warmup of the server, before the first slice
    public static RunResult merged(LoadPlan plan, RunResult.WarmupResult warmup, List<RunResult> slices) {
        PhaseTotals totals = new PhaseTotals();
        RequestCounts counts = new RequestCounts();
        long elapsed = 0;
        double busy = 0;
        for (RunResult one : slices) {
            totals.append(one.totals(), elapsed);
            counts.merge(one.counts());
            elapsed += one.elapsedNanos();
            busy += one.busy() * one.elapsedNanos();
        }
        List<Long> lengths = slices.stream().map(RunResult::elapsedNanos).toList();
        return new RunResult(
                plan,
                slices.getFirst().startedAt(),
                sum(slices, RunResult::measuredNanos),
                elapsed,
                warmup,
                counts,
                totals,
                SlowestRequests.merged(slices.stream().map(RunResult::slowest).toList()),
                sum(slices, RunResult::reconnects),
                sum(slices, RunResult::refusedConnects),
                sum(slices, RunResult::strays),
                slices.size() == 1 ? slices.getFirst().distinctKeys() : -1, // overlap is unknown
                sum(slices, RunResult::insertedKeys),
                busy / Math.max(1, elapsed),
                sum(slices, RunResult::cpuNanos),
                sum(slices, RunResult::sentWithWarmup),
                slices.stream()
                        .map(RunResult::partial)
                        .filter(one -> !one.isEmpty())
                        .findFirst()
                        .orElse(""),
                slices.getLast().lastTrouble(),
                slices.getLast().address(),
                HostFacts.merged(slices.stream().map(RunResult::host).toList(), lengths));
    }

    private static long sum(List<RunResult> slices, ToLongFunction<RunResult> figure) {
        return slices.stream().mapToLong(figure).sum();
    }
}
