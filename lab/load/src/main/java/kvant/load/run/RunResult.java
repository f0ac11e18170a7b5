package kvant.load.run;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import kvant.load.host.HostFacts;
import kvant.load.plan.LoadPlan;
import kvant.load.record.PhaseTotals;
import kvant.load.record.RequestCounts;
import kvant.load.record.RequestCounts.Count;
import kvant.load.record.SlowestRequests;
import kvant.load.workload.Operation;

/// What a run found.
///
/// @param startedAt wall clock at the start of the measured time
/// @param measuredNanos the measured time
/// @param elapsedNanos that, up to the last answer where it came later
/// @param warmup what was left out
/// @param partial why the run did not end as planned, or empty
/// @param slowest those that the plan asked for
/// @param strays connections that were given up because they sent bytes without a request
/// @param distinctKeys existing keys that were asked for, -1 where they were not counted
/// @param insertedKeys new keys that were put
/// @param busy share of its time that the busiest thread of the generator computed, or waited for a core
/// @param cpuNanos processor time of the generator's threads, warm-up included
/// @param sentWithWarmup requests in that time
/// @param address which one of the server was measured, with its port; empty where that is not known
/// @param host what the machine did in the measured time
public record RunResult(
        LoadPlan plan,
        Instant startedAt,
        long measuredNanos,
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
        String lastTrouble,
        String address,
        HostFacts host) {

    /// The warm-up, which is excluded from the figures.
    ///
    /// @param agreed whether the windows agreed; always true for a fixed warm-up, which is not checked
    /// @param counts of the requests that were due in it
    public record WarmupResult(double seconds, boolean agreed, RequestCounts counts) {

        /// Largest share of unanswered requests for a warm-up to be effective.
        private static final double MOST_UNANSWERED = 0.5;

        /// True if most sent requests failed without an answer. A refusal is an answer. Requests that were never sent
        /// for lack of a free connection do not count, they only show that the server is slow.
        public boolean hasFailed() {
            return counts.failedCount() > MOST_UNANSWERED * counts.of(Count.SENT);
        }

        /// False if so many requests were unanswered that the server was not in its normal state.
        public boolean isStable() {
            long unanswered = counts.failedCount() + counts.of(Count.UNSENT);
            return agreed && !hasFailed() && unanswered <= MOST_UNANSWERED * counts.due();
        }
    }

    /// Answers per second of the measured time. Answers after its end are excluded; those to the last requests of the
    /// warm-up, which arrive at its start, are included.
    public double achievedRate() {
        return perSecond(counts.of(Count.IN_TIME));
    }

    /// As [#achievedRate()], for scheduled requests only, for comparison with the target rate.
    public double scheduledRate() {
        return perSecond(counts.scheduledInTimeCount());
    }

    private double perSecond(long count) {
        return measuredNanos <= 0 ? 0 : count * 1e9 / measuredNanos;
    }

    /// The operations that occurred, if recorded separately.
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

    /// True if the run ended before any measured request was due, usually in its warm-up.
    public boolean isOfNothing() {
        return isPartial() && counts.due() == 0;
    }

    public Validity validity() {
        return Validity.of(this);
    }
}
