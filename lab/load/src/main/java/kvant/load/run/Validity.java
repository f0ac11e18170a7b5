package kvant.load.run;

import java.util.concurrent.TimeUnit;
import kvant.load.record.Failure;
import kvant.load.record.Percentiles;
import kvant.load.record.RequestCounts;
import kvant.load.record.RequestCounts.Count;
import kvant.text.Units;
import org.HdrHistogram.Histogram;

/// The validity of a run: do the figures describe the server, or the generator?
///
/// In an open run the generator measures its own lateness: how much later than possible it sent each request, and thus
/// the response times without it. If that reduces the 99th percentile by more than a tenth, the generator's part could
/// be mistaken for the server's: the run is doubtful, and invalid if that part exceeds 1 ms. Lateness without such an
/// effect is no objection. A generator without idle time that did not reach the rate was the bottleneck as well:
/// answers that it had not read yet are missing from the lag.
///
/// A run with too few requests for a meaningful median is doubtful.
///
/// A run whose warm-up failed is invalid as well: the server measured after it was not in its normal state.
///
/// @param why empty if the run is valid
public record Validity(Grade grade, String why) {

    /// From bad to good: an unknown grade in a file becomes the first one, which gives the result no credit.
    public enum Grade {
        INVALID,
        DOUBTFUL,
        VALID
    }

    /// Largest delay by the generator that makes a run doubtful, not invalid.
    static final long LAG_LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /// Maximum share of the response time that may be due to the generator.
    public static final double LAG_SHARE = 0.1;

    /// Share of the target rate that counts as reached.
    private static final double REACHED = 0.99;

    /// Above this utilisation a thread may be slower than the server.
    public static final double BUSY = 0.95;

    private static final double MEDIAN = 50;

    /// Requests per second that a thread can send on any machine.
    private static final double ANY_MACHINE = 1_000;

    /// Below this utilisation a thread could send more.
    private static final double IDLE = 0.5;

    private static final String LESS_TO_DO = "a lower -R, more -t on more cores";
    private static final String NO_OTHERS = "other processes, or the server, had its cores: give it one, or --realtime";
    private static final String NO_REFUSALS = "the server refused or closed connections, and attempts are 10 ms apart";

    static Validity of(RunResult result) {
        if (result.counts().of(Count.ANSWERED) == 0) {
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

    private static boolean isOfFew(RunResult result) {
        return !Percentiles.isTold(MEDIAN, result.counts().due());
    }

    private static Validity tooFew(RunResult result) {
        long least = Math.round(Percentiles.leastRequests(MEDIAN));
        return new Validity(Grade.DOUBTFUL, Reason.TOO_FEW.text(result.counts().due(), least));
    }

    private static String failedWarmup(RunResult result) {
        RequestCounts warmup = result.warmup().counts();
        return Reason.WARMUP_FAILED.text(warmup.failedCount(), warmup.of(Count.SENT), trouble(result));
    }

    private static String unstableWarmup(RunResult result) {
        RequestCounts warmup = result.warmup().counts();
        return result.warmup().agreed()
                ? Reason.WARMUP_UNANSWERED.text(warmup.due(), warmup.of(Count.UNSENT), warmup.failedCount())
                : Reason.WARMUP_UNSTABLE.text(decimals(0, result.warmup().seconds()));
    }

    /// True if the generator, not the server, was the bottleneck of an open run.
    public static boolean isOfGenerator(RunResult result) {
        return result.counts().of(Count.ANSWERED) > 0
                && !result.plan().pace().isClosed()
                && ofOpen(result).grade() == Grade.INVALID;
    }

    private static Validity ofClosed(RunResult result) {
        if (isOfFew(result)) {
            return tooFew(result);
        }
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
                    Reason.OUT_OF_TIME.text(
                            decimals(0, 100 * result.busy()), decimals(1, 100 * reached), advice(result)));
        }
        return isOfFew(result)
                ? tooFew(result)
                : byLateness(result.totals().punctual(), result.totals().response(), advice(result));
    }

    private static Validity strays(RunResult result) {
        return new Validity(Grade.DOUBTFUL, Reason.STRAYS.text(result.strays()));
    }

    private static String decimals(int places, double number) {
        return Units.format("%." + places + "f", number);
    }

    /// @param reached share of the target rate
    static boolean hadNoTime(double busy, double reached, boolean spins) {
        return busy > BUSY && reached < REACHED && !spins;
    }

    /// A lower rate helps only a busy thread. Any other thread is late because of other processes, or because it waits
    /// before it reconnects.
    private static String advice(RunResult result) {
        RequestCounts counts = result.counts();
        long lost = counts.failedCount(Failure.CLOSED) + counts.failedCount(Failure.GARBAGE);
        double each = result.plan().pace().rate() / result.plan().clients().threads();
        return advice(each, result.busy(), result.refusedConnects() + lost);
    }

    /// @param each requests per second of a thread
    /// @param lost connections that were refused, or lost without an answer
    static String advice(double each, double busy, long lost) {
        if (lost > 0) {
            return NO_REFUSALS;
        }
        return each > ANY_MACHINE && busy > IDLE ? LESS_TO_DO : NO_OTHERS;
    }

    private static String trouble(RunResult result) {
        return result.lastTrouble().isEmpty() ? "" : ": " + result.lastTrouble();
    }

    /// The validity judged only by lateness.
    ///
    /// @param punctual response times without the generator's lateness
    public static Validity byLateness(Histogram punctual, Histogram response) {
        return byLateness(punctual, response, LESS_TO_DO);
    }

    private static Validity byLateness(Histogram punctual, Histogram response, String advice) {
        long responseP99 = response.getValueAtPercentile(99);
        long own = responseP99 - punctual.getValueAtPercentile(99);
        if (own <= LAG_SHARE * responseP99) {
            return new Validity(Grade.VALID, "");
        }
        boolean bottleneck = own > LAG_LIMIT_NANOS;
        Reason reason = bottleneck ? Reason.LATE_BOTTLENECK : Reason.LATE;
        return new Validity(
                bottleneck ? Grade.INVALID : Grade.DOUBTFUL,
                reason.text(decimals(3, own / 1e6), decimals(3, responseP99 / 1e6), advice));
    }
}
