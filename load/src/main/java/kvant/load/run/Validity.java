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
            return new Validity(Grade.INVALID, "no request was answered" + trouble(result));
        }
        if (result.warmup().hasFailed()) {
            return new Validity(Grade.INVALID, failedWarmup(result) + trouble(result));
        }
        Validity own = result.plan().pace().isClosed() ? ofClosed(result) : ofOpen(result);
        if (own.grade() == Grade.VALID && !result.warmup().isStable()) {
            own = new Validity(Grade.DOUBTFUL, unstableWarmup(result));
        }
        return result.strays() > 0 && own.grade() != Grade.INVALID ? strays(result) : own;
    }

    private static String failedWarmup(RunResult result) {
        RequestCounts warmup = result.warmup().counts();
        return "most of the warm-up failed: " + warmup.failedCount() + " of the " + warmup.sentCount()
                + " requests that were sent got no answer";
    }

    private static String unstableWarmup(RunResult result) {
        RequestCounts warmup = result.warmup().counts();
        return result.warmup().agreed()
                ? "most of the warm-up was not answered: of " + warmup.due() + " requests " + warmup.unsentCount()
                        + " were never sent, and " + warmup.failedCount()
                        + " failed; the server is slower than the rate"
                : String.format(
                        Locale.ROOT,
                        "the server was still not stable after %.0f s of warm-up: successive windows differ",
                        result.warmup().seconds());
    }

    /// Whether the generator was the bottleneck of an open run, and not the server.
    public static boolean isOfGenerator(RunResult result) {
        return result.counts().answeredCount() > 0
                && !result.plan().pace().isClosed()
                && ofOpen(result).grade() == Grade.INVALID;
    }

    private static Validity ofClosed(RunResult result) {
        return result.busy() > BUSY
                ? new Validity(
                        Grade.DOUBTFUL,
                        String.format(
                                Locale.ROOT,
                                "a thread of the generator was busy %.0f %% of the time: the server may be faster"
                                        + " than this rate (more -t, on more cores)",
                                100 * result.busy()))
                : new Validity(Grade.VALID, "");
    }

    private static Validity ofOpen(RunResult result) {
        double reached = result.achievedRate() / result.plan().pace().rate();
        boolean spins = result.plan().clients().spin().isPositive(); // and is always busy
        if (hadNoTime(result.busy(), reached, spins)) {
            return new Validity(
                    Grade.INVALID,
                    String.format(
                            Locale.ROOT,
                            "the generator had no time left (%.0f %%) and reached %.1f %% of the rate: it was the"
                                    + " bottleneck (a lower -R, more -t on more cores)",
                            100 * result.busy(),
                            100 * reached));
        }
        return byLateness(result.totals().punctual(), result.totals().response());
    }

    private static Validity strays(RunResult result) {
        return new Validity(
                Grade.DOUBTFUL,
                "the server sent bytes that nobody had asked for, on " + result.strays()
                        + " connections: some answers may be those of other requests");
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
        String figures = String.format(
                Locale.ROOT,
                "the generator sent late, and %.3f ms of the response p99 of %.3f ms may be its own",
                own / 1e6,
                responseP99 / 1e6);
        return own > LAG_LIMIT_NANOS
                ? new Validity(Grade.INVALID, figures + ": it was the bottleneck (a lower -R, more -t on more cores)")
                : new Validity(Grade.DOUBTFUL, figures + ": the tail is partly its own");
    }
}
