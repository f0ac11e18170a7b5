package kvant.report.verdict;

import java.util.List;
import java.util.Optional;
import kvant.lab.result.DifferenceRecord;
import org.jspecify.annotations.Nullable;

/// The verdict on B compared with A: enums and numbers, independent of language.
///
/// @param metric of the question
/// @param decided null if there were no usable data
/// @param unjudged the reason for that, or null
/// @param caveats doubts about the verdict
/// @param decisive the caveats that could change the outcome
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

    /// The outcome for B.
    public enum Outcome {
        BETTER,
        WORSE,
        /// One is better by the figure, but fails more requests than the other.
        MIXED,
        /// A relevant difference is ruled out.
        SAME,
        /// A relevant difference is possible, but not shown.
        UNDERPOWERED,
        /// Too few data, or none.
        UNKNOWN
    }

    /// The basis of the figures.
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

    /// The relation between published results and ours.
    public enum Agreement {
        /// Both differ, in the same direction.
        SAME_DIRECTION,
        /// Neither has a relevant difference.
        NO_DIFFERENCE,
        OPPOSITE,
        /// The published difference is relevant; ours rules one out.
        NOT_FOUND,
        /// The published figures hardly differ; ours do.
        NEW_HERE,
        /// Our result is undecided.
        BESIDE
    }

    /// A judgement.
    ///
    /// @param cores of the machine, 0 if unknown
    /// @param confidence of the interval
    /// @param leastRounds minimum number of rounds for an interval
    /// @param margin smallest relevant difference, as a share
    /// @param estimate null for failed requests, which are counted
    /// @param failures of failed requests; null for other figures
    /// @param moreErrors 1 if B failed more requests, -1 if A did, within the rounds; otherwise 0
    /// @param shareA failed share of A's requests
    /// @param cpu the main difference in CPU profiles, or null
    /// @param published null if nothing was published
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

    /// A frame in which the profiles differ, with the side that has more of it.
    ///
    /// @param concept null for a frame without a known subject
    public record CpuDifference(
            String variant,
            String other,
            double share,
            double otherShare,
            DifferenceRecord.Frame frame,
            @Nullable Concept concept) {}

    /// @param apart the larger ratio, at least 1, between published and measured figure of the same variant
    public record PublishedFigures(Agreement agreement, double nanosA, double nanosB, double apart) {}

    /// The reason for the lack of a judgement.
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

    /// True if B failed a larger share of its requests.
    public boolean failsMore() {
        return decided != null && decided.moreErrors() > 0;
    }

    /// True if "no relevant difference" holds only without the outliers.
    public boolean isSameByLeavingOut() {
        return outcome == Outcome.SAME && decisive.stream().anyMatch(Caveat.Disturbed.class::isInstance);
    }

    /// Present if only the possible effect of late sending keeps it undecided.
    public Optional<Caveat.HeldByGenerator> heldByGenerator() {
        return of(Caveat.HeldByGenerator.class);
    }

    /// The handling of blocks disturbed from outside.
    public Optional<Caveat.Host> host() {
        return of(Caveat.Host.class);
    }

    private <T extends Caveat> Optional<T> of(Class<T> kind) {
        return caveats.stream().filter(kind::isInstance).map(kind::cast).findFirst();
    }

    /// Null if the question is not about failed requests, or nothing was measured.
    public @Nullable ShareDifference failures() {
        return decided == null ? null : decided.failures();
    }

    /// Null if nothing could be computed, and for failed requests.
    public @Nullable Estimate estimate() {
        return decided == null ? null : decided.estimate();
    }
}
