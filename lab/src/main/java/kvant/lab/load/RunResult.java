package kvant.lab.load;

import java.time.Instant;
import kvant.lab.record.Slowest;
import kvant.lab.record.Sums;
import kvant.lab.record.Tally;

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
        Tally tally,
        Sums sums,
        Slowest slowest,
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
        return elapsedNanos <= 0 ? 0 : tally.answeredCount() * 1e9 / elapsedNanos;
    }

    public boolean isPartial() {
        return !partial.isEmpty();
    }

    public Validity validity() {
        return Validity.of(this);
    }
}
