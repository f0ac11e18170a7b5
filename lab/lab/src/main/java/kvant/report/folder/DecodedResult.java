package kvant.report.folder;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import kvant.lab.result.Remark;
import kvant.load.host.HostFacts;
import kvant.load.result.Distribution;
import kvant.load.result.LoadResult;
import kvant.load.result.LoadResult.Requests;
import kvant.load.result.ResultFile;
import kvant.load.run.Validity;
import kvant.text.UserException;
import org.HdrHistogram.Histogram;

/// What the generator wrote about one step, with the histograms that reports ask for decoded.
///
/// @param file as it was written; its texts may name paths of a machine, which [#validityReason()] and [#partial()] do
/// not
/// @param response from the time that each request was due, failed ones at what they waited
/// @param accepted the part of it that got what it asked for
/// @param punctual the response times without what the generator sent late; empty where the file does not say
/// @param grade as the generator judged; one that was late and nothing else is doubtful here, because reports bound
///     what that may have added
public record DecodedResult(
        LoadResult file, Histogram response, Histogram accepted, Histogram punctual, Validity.Grade grade) {

    /// @throws UserException in one line that names the file
    public static DecodedResult read(Path path) {
        var file = ResultFile.read(path);
        try {
            Histogram response = file.latency().response().histogram();
            Histogram punctual = Distribution.histogram(file.latency().punctual());
            boolean late = punctual.getTotalCount() > 0
                    && Validity.byLateness(punctual, response).grade() == Validity.Grade.INVALID;
            return new DecodedResult(
                    file,
                    response,
                    file.latency().acceptedResponse().histogram(),
                    punctual,
                    late && isOtherwiseSound(file) ? Validity.Grade.DOUBTFUL : file.validity());
        } catch (UserException e) {
            throw new UserException(path + ": " + e.getMessage(), e);
        }
    }

    /// Whether nothing but that the generator sent late can have made it invalid: then the true response times lie
    /// between those without its part and those that it measured.
    private static boolean isOtherwiseSound(LoadResult file) {
        return file.validity() == Validity.Grade.INVALID
                && file.requests().answered() > 0
                && file.requests().unsent() == 0
                && file.warmup().errors() <= file.warmup().requests() / 2
                && file.connections().strays() == 0
                && file.generator().busiestThread() <= Validity.BUSY;
    }

    /// How much of the 99th percentile of the response times may be the generator's. Files from before response times
    /// were kept without it have the lag alone, which is at least as harsh.
    public double ownP99Nanos() {
        double without = Distribution.p99Nanos(file.latency().punctual());
        return Double.isNaN(without)
                ? Distribution.p99Nanos(file.latency().sendLag())
                : Distribution.p99Nanos(file.latency().response()) - without;
    }

    public String validity() {
        return grade.name().toLowerCase(Locale.ROOT);
    }

    public String validityReason() {
        return Paths.shortened(file.validityReason());
    }

    public boolean isInvalid() {
        return grade == Validity.Grade.INVALID;
    }

    public boolean isDoubtful() {
        return grade == Validity.Grade.DOUBTFUL;
    }

    /// Why its generator is not beyond doubt, by the shares from which on the generator itself doubts.
    public Remark doubt() {
        double response99 = response.getValueAtPercentile(99);
        if (ownP99Nanos() > Validity.LAG_SHARE * response99) {
            return new Remark.GeneratorLate((long) ownP99Nanos(), (long) response99);
        }
        double busiest = file.generator().busiestThread();
        return busiest > Validity.BUSY
                ? new Remark.GeneratorBusy(Math.round(100 * busiest))
                : new Remark.Given(validityReason());
    }

    public boolean complete() {
        return file.isComplete();
    }

    public String partial() {
        return Paths.shortened(file.partial());
    }

    public long due() {
        return file.requests().due();
    }

    public long errors() {
        return file.requests().errors();
    }

    public double errorShare() {
        return due() == 0 ? 0 : (double) errors() / due();
    }

    public double achievedRate() {
        return file.achievedRate();
    }

    /// False where it was measured before successive windows agreed.
    public boolean warm() {
        return !file.warmup().isUnstable();
    }

    public HostFacts host() {
        return file.host();
    }

    /// Share of the time, window by window, in which the host or a control group took processors away.
    public double takenShare() {
        return host().looks() == 0 ? 0 : (double) host().disturbed() / host().looks();
    }

    /// Whether there is a time to speak of: a histogram without a single one says 0.
    public boolean isTimed() {
        return response.getTotalCount() > 0;
    }

    /// The stretches that uncertainty within a run is computed from.
    public List<Histogram> blocks() {
        return file.decodedBlocks();
    }

    /// Requests by what became of them, only those above 0.
    public Map<String, Long> failures() {
        Map<String, Long> failures = new LinkedHashMap<>();
        Requests requests = file.requests();
        requests.failed()
                .forEach((failure, count) -> failures.put(failure.name().toLowerCase(Locale.ROOT), count));
        failures.put("unsent", requests.unsent());
        failures.put("unexpectedStatus", requests.unexpectedStatus());
        failures.put("wrongBodies", requests.wrongBodies());
        failures.values().removeIf(count -> count == 0);
        return failures;
    }
}
