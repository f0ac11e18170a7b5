package kvant.report.verdict;

import java.util.List;
import java.util.Optional;
import kvant.lab.result.ExperimentRecord;
import kvant.lab.result.ProfileRecord.DifferenceRecord;
import kvant.lab.result.Remark;
import kvant.report.verdict.Frames.Concept;
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
        UNKNOWN;

        /// True for a difference between the variants.
        public boolean isDifference() {
            return this == BETTER || this == WORSE || this == MIXED;
        }
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

    /// A question with its verdicts: one for each phase and each variant compared with the first.
    public record Answer(ExperimentRecord.Question question, List<Verdict> verdicts) {}

    /// A caveat of a verdict.
    public sealed interface Caveat {

        /// The reason for not judging the figures of a step.
        enum Cause {
            FAILED,
            SKIPPED,
            PLANNED,
            UNREADABLE,
            PARTIAL
        }

        record LeftOut(String step, Cause cause, Remark reason) implements Caveat {}

        record Invalid(String step, Remark doubt) implements Caveat {}

        record Doubtful(String step, Remark doubt) implements Caveat {}

        /// A round that was measured before successive windows agreed.
        record Unstable(String step) implements Caveat {}

        /// A round in which the host of a virtual machine, or a control group, took processor time away.
        ///
        /// @param share of the samples
        record Taken(String step, double share) implements Caveat {}

        /// Blocks that were disturbed from outside the run, by the rule of [HostRule].
        ///
        /// @param of number of blocks in which the two were measured together
        /// @param stolen number of disturbed blocks with processor time stolen by the host
        /// @param others number of disturbed blocks with processor time used by other processes
        /// @param bound share of the processors
        /// @param leftOut false if too many were disturbed to exclude them
        record Host(int n, int of, int stolen, int others, double bound, boolean leftOut) implements Caveat {}

        /// Only the possible effect of late sending keeps a question open, and more rounds of this kind would
        /// not answer it.
        ///
        /// @param measured estimate as if late sending had no effect
        record HeldByGenerator(Metric metric, Estimate measured) implements Caveat {}

        /// Outliers: blocks, or rounds, excluded because they are far from the others.
        record Disturbed(int n, int of, boolean blocks) implements Caveat {}

        /// A round with only one of the two variants.
        record Alone(int round) implements Caveat {}

        record FewerRounds(int n, int planned) implements Caveat {}

        record FailedRequests(String variant, double share, long n, long due) implements Caveat {}

        /// The figure for successful requests only.
        record AcceptedAlone(String variant, Metric metric, double nanos) implements Caveat {}

        /// Two parameters that change together cannot be distinguished.
        record UnlikeConnections(long countA, long countB) implements Caveat {}
    }
}
