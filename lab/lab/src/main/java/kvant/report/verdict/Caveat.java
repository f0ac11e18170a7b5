package kvant.report.verdict;

import kvant.lab.result.Remark;

/// Something that speaks against a verdict.
public sealed interface Caveat {

    /// Why the figures of a step are not judged.
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
    /// @param share of its looks at the machine
    record Taken(String step, double share) implements Caveat {}

    /// Blocks that something outside of the run disturbed, by the rule of [HostRule].
    ///
    /// @param of blocks in which the two were measured together
    /// @param stolen disturbed blocks in which the host took the processors
    /// @param others those in which other processes did
    /// @param bound share of the processors
    /// @param leftOut false where so many were disturbed that none was left out
    record Host(int n, int of, int stolen, int others, double bound, boolean leftOut) implements Caveat {}

    /// What late sending may have added, where nothing else keeps a question open and more rounds like these would not
    /// answer it.
    ///
    /// @param measured as if it had added nothing
    record HeldByGenerator(Metric metric, Estimate measured) implements Caveat {}

    /// Blocks, or rounds, that were left out because they lie far from the others.
    record Disturbed(int n, int of, boolean blocks) implements Caveat {}

    /// A round with only one of the two.
    record Alone(int round) implements Caveat {}

    record FewerRounds(int n, int planned) implements Caveat {}

    record FailedRequests(String variant, double share, long n, long due) implements Caveat {}

    /// The figure of those requests alone that got what they asked for.
    record AcceptedAlone(String variant, Metric metric, double nanos) implements Caveat {}

    /// Two things that change at once cannot be told apart.
    record UnlikeConnections(long countA, long countB) implements Caveat {}
}
