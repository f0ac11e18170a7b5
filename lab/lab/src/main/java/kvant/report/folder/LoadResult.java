package kvant.report.folder;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import kvant.load.host.HostFacts;
import kvant.load.result.Distribution;
import kvant.load.result.LoadResult.Latency;
import kvant.load.result.LoadResult.Requests;
import kvant.load.result.ResultFile;
import kvant.load.run.Validity;
import kvant.text.UserException;
import org.HdrHistogram.Histogram;

/// What the generator wrote about one step.
///
/// @param response from the time that each request was due, failed ones at what they waited
/// @param accepted the part of it that got what it asked for
/// @param encodedBlocks successive stretches; decoded when somebody needs them, because they are large
/// @param windows `windowColumns` say what stands in a row
/// @param punctual the response times without what the generator sent late; empty where the file does not say
/// @param failures requests by what became of them, only those above 0
/// @param warm false where it was measured before successive windows agreed
/// @param validity as the generator judged; one that was late and nothing else is doubtful here, because reports bound
///     what that may have added
/// @param ownP99Nanos how much of the 99th percentile of the response times may be the generator's
/// @param plannedNanos length of the measured time, 0 where the file does not say
/// @param host what the machine of the generator did meanwhile
/// @param busiest share of its time that the busiest thread of the generator had no rest
public record LoadResult(
        Histogram response,
        Histogram accepted,
        Histogram punctual,
        List<String> encodedBlocks,
        List<Window> windows,
        long due,
        long answered,
        long errors,
        Map<String, Long> failures,
        Map<String, Long> statuses,
        boolean warm,
        double achievedRate,
        String validity,
        String validityReason,
        boolean complete,
        String partial,
        double busiest,
        double lagP99Nanos,
        double ownP99Nanos,
        double plannedNanos,
        HostFacts host) {

    /// One stretch of time, usually a second.
    ///
    /// @param completed requests that were answered or given up
    /// @param stolenNanos processor time that the host of the virtual machine took away, of all processors together
    public record Window(
            double fromNanos,
            double lengthNanos,
            double completed,
            double answered,
            double errors,
            double p50Nanos,
            double p99Nanos,
            double maxNanos,
            double stolenNanos) {

        private static Window of(kvant.load.record.Window saved) {
            return new Window(
                    saved.fromNanos(),
                    saved.lengthNanos(),
                    saved.completed(),
                    saved.answered(),
                    saved.errors(),
                    saved.p50Nanos(),
                    saved.p99Nanos(),
                    saved.maxNanos(),
                    saved.stolenNanos());
        }

        public double rate() {
            return lengthNanos > 0 ? answered * 1e9 / lengthNanos : 0;
        }
    }

    /// @throws UserException in one line that names the file
    public static LoadResult read(Path file) {
        var saved = ResultFile.read(file);
        try {
            Histogram response = saved.latency().response().histogram();
            Histogram punctual = saved.latency().punctual().histogram();
            return new LoadResult(
                    response,
                    saved.latency().acceptedResponse().histogram(),
                    punctual,
                    saved.blocks(),
                    saved.windows().stream().map(Window::of).toList(),
                    saved.requests().due(),
                    saved.requests().answered(),
                    saved.requests().errors(),
                    failures(saved.requests()),
                    statuses(saved.statuses()),
                    !saved.warmup().isUnstable(),
                    saved.achievedRate(),
                    validity(saved, punctual, response),
                    Paths.shortened(saved.validity().why()),
                    saved.isComplete(),
                    Paths.shortened(saved.partial()),
                    saved.generator().busiestThread(),
                    p99Nanos(saved.latency().sendLag()),
                    ownP99Nanos(saved.latency()),
                    saved.asked().pace().durationNanos(),
                    saved.host());
        } catch (UserException e) {
            throw new UserException(file + ": " + e.getMessage(), e);
        }
    }

    private static String validity(kvant.load.result.LoadResult saved, Histogram punctual, Histogram response) {
        boolean late = punctual.getTotalCount() > 0
                && Validity.byLateness(punctual, response).grade() == Validity.Grade.INVALID;
        Validity.Grade given = saved.validity().grade();
        Validity.Grade grade = late && isOtherwiseSound(saved) ? Validity.Grade.DOUBTFUL : given;
        return grade.name().toLowerCase(Locale.ROOT);
    }

    /// Whether nothing but that the generator sent late can have made it invalid: then the true response times lie
    /// between those without its part and those that it measured.
    private static boolean isOtherwiseSound(kvant.load.result.LoadResult saved) {
        return saved.validity().grade() == Validity.Grade.INVALID
                && saved.requests().answered() > 0
                && saved.requests().unsent() == 0
                && saved.warmup().errors() <= saved.warmup().requests() / 2
                && saved.connections().strays() == 0
                && saved.generator().busiestThread() <= Validity.BUSY;
    }

    /// Files from before response times were kept without it have the lag alone, which is at least as harsh.
    private static double ownP99Nanos(Latency latency) {
        double punctual = p99Nanos(latency.punctual());
        return Double.isNaN(punctual) ? p99Nanos(latency.sendLag()) : p99Nanos(latency.response()) - punctual;
    }

    /// Of few requests too: it is held against that of other times of the same run.
    private static double p99Nanos(Distribution times) {
        if (times.percentilesNanos().containsKey("99")) {
            return times.percentilesNanos().get("99");
        }
        return times.encoded().isEmpty() ? Double.NaN : times.histogram().getValueAtPercentile(99);
    }

    public boolean isInvalid() {
        return validity.equals("invalid");
    }

    public boolean isDoubtful() {
        return validity.equals("doubtful");
    }

    /// Share of the time, window by window, in which the host or a control group took processors away.
    public double takenShare() {
        return host.looks() == 0 ? 0 : (double) host.disturbed() / host.looks();
    }

    /// Whether there is a time to speak of: a histogram without a single one says 0.
    public boolean isTimed() {
        return response.getTotalCount() > 0;
    }

    public double errorShare() {
        return due == 0 ? 0 : (double) errors / due;
    }

    /// The stretches that uncertainty within a run is computed from.
    public List<Histogram> blocks() {
        return encodedBlocks.stream().map(Distribution::decoded).toList();
    }

    private static Map<String, Long> failures(Requests requests) {
        Map<String, Long> failures = new LinkedHashMap<>();
        requests.failed()
                .forEach((failure, count) -> put(failures, failure.name().toLowerCase(Locale.ROOT), count));
        put(failures, "unsent", requests.unsent());
        put(failures, "unexpectedStatus", requests.unexpectedStatus());
        put(failures, "wrongBodies", requests.wrongBodies());
        return failures;
    }

    private static Map<String, Long> statuses(Map<Integer, Long> saved) {
        Map<String, Long> statuses = new LinkedHashMap<>();
        saved.forEach((status, count) -> put(statuses, status.toString(), count));
        return statuses;
    }

    private static void put(Map<String, Long> counts, String name, long count) {
        if (count > 0) {
            counts.put(name, count);
        }
    }
}
