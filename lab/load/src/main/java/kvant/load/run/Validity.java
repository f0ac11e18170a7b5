package kvant.load.run;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import kvant.load.record.RequestCounts;
import org.HdrHistogram.Histogram;

/// Whether the figures are the server's, or the generator's.
///
/// In an open run the generator knows its own fault: how much later than possible it sent each request, and so what the
/// response times were without that. Where the 99th percentile of these is lower by more than a tenth, the generator's
/// part could be taken for the server's: the run is doubtful, and invalid where that part is above 1 ms. That it was
/// late where it did not matter speaks against no run. A generator that had no time left and did
/// not reach the rate was the bottleneck too: the answers that it had not read yet know of no lag.
///
/// A run whose warm-up failed is invalid as well: what was measured after it is not a server that runs.
///
/// @param why empty where the run is valid
public record Validity(Grade grade, String why) {

    /// From good to bad.
    public enum Grade {
        VALID,
        DOUBTFUL,
        INVALID
    }

    /// A part of the generator's that makes a run doubtful and no more.
    static final long LAG_LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /// Share of the response time that the generator may have caused.
    public static final double LAG_SHARE = 0.1;

    /// Share of the target rate that counts as reached.
    private static final double REACHED = 0.99;

    /// A thread that is busier than this may be slower than the server.
    public static final double BUSY = 0.95;

    static Validity of(RunResult result) {
        if (result.counts().answeredCount() == 0) {
            return new Validity(Grade.INVALID, Reason.NOTHING_ANSWERED.text(trouble(result)));
        }
        if (result.warmup().hasFailed()) {
            return new Validity(Grade.INVALID, failedWarmup(result));
        }
        Validity own = result.plan().pace().isClosed() ? ofClosed(result) : ofOpen(result);
        if (own.grade() == Grade.VALID && !result.warmup().isStable()) {
            own = new Validity(Grade.DOUBTFUL, unstableWarmup(result));
        }
        return result.strays() > 0 && own.grade() != Grade.INVALID ? strays(result) : own;
    }

    private static String failedWarmup(RunResult result) {
        RequestCounts warmup = result.warmup().counts();
        return Reason.WARMUP_FAILED.text(warmup.failedCount(), warmup.sentCount(), trouble(result));
    }

    private static String unstableWarmup(RunResult result) {
        RequestCounts warmup = result.warmup().counts();
        return result.warmup().agreed()
                ? Reason.WARMUP_UNANSWERED.text(warmup.due(), warmup.unsentCount(), warmup.failedCount())
                : Reason.WARMUP_UNSTABLE.text(decimals(0, result.warmup().seconds()));
    }

    /// Whether the generator was the bottleneck of an open run, and not the server.
    public static boolean isOfGenerator(RunResult result) {
        return result.counts().answeredCount() > 0
                && !result.plan().pace().isClosed()
                && ofOpen(result).grade() == Grade.INVALID;
    }

    private static Validity ofClosed(RunResult result) {
        return result.busy() > BUSY
                ? new Validity(Grade.DOUBTFUL, Reason.BUSY.text(decimals(0, 100 * result.busy())))
                : new Validity(Grade.VALID, "");
    }

    private static Validity ofOpen(RunResult result) {
        double reached = result.scheduledRate() / result.plan().pace().rate();
        boolean spins = result.plan().clients().spin().isPositive(); // and is always busy
        if (hadNoTime(result.busy(), reached, spins)) {
            return new Validity(
                    Grade.INVALID,
                    Reason.OUT_OF_TIME.text(decimals(0, 100 * result.busy()), decimals(1, 100 * reached)));
        }
        return byLateness(result.totals().punctual(), result.totals().response());
    }

    private static Validity strays(RunResult result) {
        return new Validity(Grade.DOUBTFUL, Reason.STRAYS.text(result.strays()));
    }

    private static String decimals(int places, double number) {
        return String.format(Locale.ROOT, "%." + places + "f", number);
    }

    /// @param reached share of the target rate
    static boolean hadNoTime(double busy, double reached, boolean spins) {
        return busy > BUSY && reached < REACHED && !spins;
    }

    private static String trouble(RunResult result) {
        return result.lastTrouble().isEmpty() ? "" : ": " + result.lastTrouble();
    }

    /// What its lateness alone says of a run.
    ///
    /// @param punctual response times without what the generator sent late
    public static Validity byLateness(Histogram punctual, Histogram response) {
        long responseP99 = response.getValueAtPercentile(99);
        long own = responseP99 - punctual.getValueAtPercentile(99);
        if (own <= LAG_SHARE * responseP99) {
            return new Validity(Grade.VALID, "");
        }
        boolean bottleneck = own > LAG_LIMIT_NANOS;
        Reason reason = bottleneck ? Reason.LATE_BOTTLENECK : Reason.LATE;
        return new Validity(
                bottleneck ? Grade.INVALID : Grade.DOUBTFUL,
                reason.text(decimals(3, own / 1e6), decimals(3, responseP99 / 1e6)));
    }
}
