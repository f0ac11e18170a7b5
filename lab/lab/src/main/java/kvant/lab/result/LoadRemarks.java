package kvant.lab.result;

import kvant.load.run.Reason;

/// Converts the English warnings in result files of loads to remarks.
public final class LoadRemarks {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    private LoadRemarks() {}

    /// @param text warning of a load; an unknown one is quoted
    public static Remark of(String text) {
        return Reason.read(text).map(LoadRemarks::of).orElseGet(() -> new Remark.Given(text));
    }

    private static Remark of(Reason.Said said) {
        return switch (said.reason()) {
            case STOPPED -> new Remark.StoppedBeforeItsEnd();
            case SERVER_GONE -> new Remark.ServerGone(said.trouble(0));
            case SERVER_GONE_AT_THE_END -> new Remark.ServerGoneAtTheEnd(said.trouble(0));
            case NOTHING_ANSWERED -> new Remark.NothingAnswered(said.trouble(0));
            case WARMUP_FAILED -> new Remark.WarmupFailed(said.number(0), said.number(1));
            case WARMUP_UNANSWERED -> new Remark.WarmupUnanswered(said.number(0), said.number(1), said.number(2));
            case WARMUP_UNSTABLE -> new Remark.WarmupUnstable((long) (said.figure(0) * NANOS_PER_SECOND));
            case BUSY -> new Remark.GeneratorBusy(said.number(0));
            case OUT_OF_TIME -> new Remark.GeneratorOutOfTime(said.number(0), (long) said.figure(1));
            case TOO_FEW -> new Remark.TooFewRequests(said.number(0), said.number(1));
            case STRAYS -> new Remark.StrayBytes(said.number(0));
            case LATE_BOTTLENECK, LATE ->
                new Remark.GeneratorLate(
                        Math.round(said.figure(0) * NANOS_PER_MILLI), Math.round(said.figure(1) * NANOS_PER_MILLI));
        };
    }
}
