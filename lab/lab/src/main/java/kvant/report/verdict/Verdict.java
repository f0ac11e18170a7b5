package kvant.report.verdict;

import java.util.List;
import java.util.Optional;
import kvant.lab.result.DifferenceRecord;
import org.jspecify.annotations.Nullable;

/// What may be said about B beside A: enums and numbers, in no language.
///
/// @param metric as the question has it
/// @param decided null where there was nothing to judge by
/// @param unjudged why not, or null where there was something
/// @param caveats what stands against it
/// @param decisive those of them that could change the outcome
public record Verdict(
        String phase,
        String metric,
        String a,
        String b,
        Outcome outcome,
        @Nullable Decided decided,
        @Nullable Unjudged unjudged,
        List<Caveat> caveats,
        List<Caveat> decisive) {

    /// Of B.
    public enum Outcome {
        BETTER,
        WORSE,
        /// One is better by the figure, and fails more requests than the other.
        MIXED,
        /// A difference that matters is ruled out.
        SAME,
        /// There may be a difference that matters, or none.
        UNDERPOWERED,
        /// There is too little, or nothing, to judge by.
        UNKNOWN
    }

    /// What the figures rest on.
    public enum Basis {
        /// Ratios within rounds.
        ROUNDS,
        /// Ratios within blocks of two rounds.
        BLOCKS,
        /// The same, valid whenever the run ends.
        SEQUENCE,
        /// Ratios within interleaved rounds, valid whenever the run ends.
        INTERLEAVED,
        /// Stretches of time within few rounds.
        WINDOWS,
        /// Counts of failed requests in few rounds.
        COUNTS,
        /// Too few requests beyond the percentile.
        FEW_REQUESTS,
        SINGLE_ROUND,
        FEW_ROUNDS
    }

    /// How published figures relate to ours.
    public enum Agreement {
        /// Both differ, in the same direction.
        SAME_DIRECTION,
        /// Neither differs by what matters.
        NO_DIFFERENCE,
        OPPOSITE,
        /// They differ by what matters; here that is ruled out.
        NOT_FOUND,
        /// They hardly differ; here there is a difference.
        NEW_HERE,
        /// What was measured here is open.
        BESIDE
    }

    /// A judgement.
    ///
    /// @param cores of the machine, 0 where unknown
    /// @param confidence of the interval
    /// @param leastRounds that an interval takes
    /// @param margin a difference that matters, as a share
    /// @param estimate null for failed requests, which are counted
    /// @param failures of failed requests; null for other figures
    /// @param moreErrors 1 where B failed more requests, -1 where A did, within the rounds; else 0
    /// @param shareA of its requests that A failed
    /// @param cpu where the processor time goes in one and not in the other, or null
    /// @param published null where nothing was published
    public record Decided(
            Metric metric,
            int cores,
            int rounds,
            Basis basis,
            double confidence,
            int leastRounds,
            double margin,
            @Nullable Estimate estimate,
            @Nullable ShareDifference failures,
            int moreErrors,
            double shareA,
            double shareB,
            @Nullable CpuDifference cpu,
            @Nullable PublishedFigures published) {}

    /// A frame in which the profiles differ, from the side that has more of it.
    ///
    /// @param concept null where nobody has a word for it
    public record CpuDifference(
            String variant,
            String other,
            double share,
            double otherShare,
            DifferenceRecord.Frame frame,
            @Nullable Concept concept) {}

    /// @param apart the larger factor, from 1 on, between a published figure and the measured one of its variant
    public record PublishedFigures(Agreement agreement, double nanosA, double nanosB, double apart) {}

    /// Why there is no judgement.
    public sealed interface Unjudged {

        record UnknownMetric(String metric) implements Unjudged {}

        record NothingToCompare() implements Unjudged {}

        record NoFigures(List<String> variants) implements Unjudged {}

        record NeverTogether() implements Unjudged {}

        record NotMeasured(Metric metric) implements Unjudged {}
    }

    /// Whether there is an answer.
    public boolean isDecided() {
        return outcome != Outcome.UNKNOWN && outcome != Outcome.UNDERPOWERED;
    }

    /// Whether B failed more of its requests.
    public boolean failsMore() {
        return decided != null && decided.moreErrors() > 0;
    }

    /// Whether "no difference that matters" holds only without units that lie far from the others.
    public boolean isSameByLeavingOut() {
        return outcome == Outcome.SAME && decisive.stream().anyMatch(Caveat.Disturbed.class::isInstance);
    }

    /// Whether nothing but what late sending may have added keeps it from one.
    public Optional<Caveat.HeldByGenerator> heldByGenerator() {
        return of(Caveat.HeldByGenerator.class);
    }

    /// What became of blocks that something outside of the run disturbed.
    public Optional<Caveat.Host> host() {
        return of(Caveat.Host.class);
    }

    private <T extends Caveat> Optional<T> of(Class<T> kind) {
        return caveats.stream().filter(kind::isInstance).map(kind::cast).findFirst();
    }

    /// Null where failed requests were not asked about, or nothing was measured.
    public @Nullable ShareDifference failures() {
        return decided == null ? null : decided.failures();
    }

    /// Null where nothing could be computed, and of failed requests.
    public @Nullable Estimate estimate() {
        return decided == null ? null : decided.estimate();
    }
}
