package kvant.report.folder;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import kvant.lab.result.Remark;
import kvant.load.host.HostFacts;
import kvant.load.result.Distribution;
import kvant.load.result.LoadResult;
import kvant.load.result.LoadResult.Requests;
import kvant.load.result.ResultFile;
import kvant.load.run.Validity;
import kvant.text.UserException;
import org.HdrHistogram.Histogram;

/// The generator's result for one step, with decoded histograms for reports.
///
/// @param file as written; its texts may contain paths of a machine, unlike [#validityReason()] and [#partial()]
/// @param response times from the due time, failed requests with their waiting time
/// @param accepted the part of it for successful requests
/// @param punctual response times without the generator's lateness; empty if the file lacks them
/// @param grade the generator's grade, except that mere lateness is only doubtful here, because reports bound its
///     effect
public record DecodedResult(
        LoadResult file, Histogram response, Histogram accepted, Histogram punctual, Validity.Grade grade) {

    /// The folders of an absolute path, but not the path of a URL, and not a single slash.
    private static final Pattern FOLDERS = Pattern.compile("(?<![\\w./~:}])/(?:[\\w.@+~-]+/)+(?=[\\w.@+~-])");

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

    /// True if only the generator's lateness can have made it invalid: the true response times are then between the
    /// measured ones and those without its part.
    private static boolean isOtherwiseSound(LoadResult file) {
        return file.validity() == Validity.Grade.INVALID
                && file.requests().answered() > 0
                && file.requests().unsent() == 0
                && file.warmup().errors() <= file.warmup().requests() / 2
                && file.connections().strays() == 0
                && file.generator().busiestThread() <= Validity.BUSY;
    }

    /// The part of the 99th percentile of response times that the generator may have caused. Older files lack the
    /// response times without lateness; the lag used in their place is at least as strict.
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
        return shortened(file.validityReason());
    }

    public boolean isInvalid() {
        return grade == Validity.Grade.INVALID;
    }

    public boolean isDoubtful() {
        return grade == Validity.Grade.DOUBTFUL;
    }

    /// The doubt about the generator, by the same limits that the generator itself uses.
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
        return shortened(file.partial());
    }

    public long due() {
        return file.requests().due();
    }

    public long errors() {
        return file.requests().errors();
    }

    public double achievedRate() {
        return file.achievedRate();
    }

    /// False if it was measured before successive windows agreed.
    public boolean warm() {
        return !file.warmup().isUnstable();
    }

    public HostFacts host() {
        return file.host();
    }

    /// Share of time with processors taken away by the host or a control group, determined by window.
    public double takenShare() {
        return host().looks() == 0 ? 0 : (double) host().disturbed() / host().looks();
    }

    /// False for an empty histogram, which would return 0.
    public boolean isTimed() {
        return response.getTotalCount() > 0;
    }

    /// Number of failed requests by kind of failure, only those above 0.
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

    /// The text without the folders in its paths: those of the measuring machine mean nothing to other readers.
    public static String shortened(String text) {
        return FOLDERS.matcher(text).replaceAll("…/");
    }
}
