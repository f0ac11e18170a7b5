package kvant.report.verdict;

import kvant.lab.result.Remark;

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

    /// Only the possible effect of late sending keeps a question open, and more rounds of this kind would not answer
    /// it.
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
