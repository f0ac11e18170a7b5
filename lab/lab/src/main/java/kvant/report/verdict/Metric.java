package kvant.report.verdict;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.lab.result.ExperimentRecord.Question;
import kvant.lab.result.StepRecord.Stage;
import kvant.load.record.Percentiles;
import kvant.report.folder.DecodedResult;
import kvant.report.folder.Results.MeasuredStep;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// The figure that a question compares.
///
/// @param percentile for [Kind#PERCENTILE], otherwise NaN
public record Metric(Kind kind, double percentile) {

    /// Kinds differ in the source of the figure and in the sentences about it.
    public enum Kind {
        PERCENTILE,
        MEAN,
        MAX,
        RATE,
        CPU,
        MEMORY,
        ERRORS,
        STAGE_READ(Stage.READ),
        STAGE_QUEUE(Stage.QUEUE),
        STAGE_ENGINE(Stage.ENGINE),
        STAGE_DELIVER(Stage.DELIVER),
        STAGE_WRITE(Stage.WRITE);

        private final @Nullable Stage stage;

        Kind() {
            this(null);
        }

        Kind(@Nullable Stage stage) {
            this.stage = stage;
        }

        boolean moreIsBetter() {
            return this == RATE;
        }

        /// The name in keys of the catalogue; for a stage `stage.engine`, as in questions.
        public String key() {
            return stage == null ? name().toLowerCase(Locale.ROOT) : stage.metric();
        }

        /// True if it is the time in one stage of a node.
        public boolean isStage() {
            return stage != null;
        }

        private static Optional<Kind> stage(String name) {
            return Arrays.stream(values())
                    .filter(one -> one.isStage() && one.key().equals(name))
                    .findFirst();
        }
    }

    private static final Pattern PERCENTILE = Pattern.compile("p(\\d{1,2}(?:\\.\\d+)?)");

    /// Default margin for failed requests: one in a thousand.
    private static final double MARGIN_OF_ERRORS = 0.001;

    /// The smallest percentile that counts as tail latency.
    private static final double TAIL = 99;

    public static Metric percentile(double percentile) {
        return new Metric(Kind.PERCENTILE, percentile);
    }

    /// Parses `p99.9`, `mean`, `max`, `rate`, `cpu`, `memory`, `errors` and `stage.engine`; an empty text is p99.
    static Optional<Metric> parse(String text) {
        String name = text.strip().toLowerCase(Locale.ROOT).replaceAll("[-_ ]", "");
        Matcher matcher = PERCENTILE.matcher(name);
        if (matcher.matches()) {
            return Optional.of(percentile(Double.parseDouble(matcher.group(1))));
        }
        return switch (name) {
            case "" -> Optional.of(percentile(99));
            case "p100", "max", "maximum" -> Optional.of(of(Kind.MAX));
            case "mean", "average" -> Optional.of(of(Kind.MEAN));
            case "rate", "throughput", "requests", "achievedrate" -> Optional.of(of(Kind.RATE));
            case "cpu", "cpuperrequest", "cpunanosperrequest" -> Optional.of(of(Kind.CPU));
            case "memory", "rss", "maxrss", "maxrssbytes" -> Optional.of(of(Kind.MEMORY));
            case "errors", "errorshare", "failures" -> Optional.of(of(Kind.ERRORS));
            default -> Kind.stage(name).map(kind -> of(kind));
        };
    }

    private static Metric of(Kind kind) {
        return new Metric(kind, Double.NaN);
    }

    public boolean isLatency() {
        return kind == Kind.PERCENTILE || kind == Kind.MEAN || kind == Kind.MAX;
    }

    /// The smallest relevant difference for a question: a share of the figure, or for errors a share of all requests.
    double margin(Question question) {
        double given = question.marginOrUsual();
        boolean usual = given == Question.USUAL_MARGIN; // results contain it even if the experiment does not set it
        return kind == Kind.ERRORS && usual ? MARGIN_OF_ERRORS : given;
    }

    /// True if it is about tail latency.
    public boolean isTail() {
        return kind == Kind.MAX || kind == Kind.PERCENTILE && percentile >= TAIL;
    }

    /// The figure of a step; NaN if it was not measured.
    double of(MeasuredStep step) {
        DecodedResult load = step.load();
        if (load == null) {
            return Double.NaN;
        }
        return switch (kind) {
            case PERCENTILE, MEAN, MAX -> of(load.response());
            case RATE -> load.achievedRate();
            case CPU -> step.cpuNanosPerRequest();
            case MEMORY -> step.maxRssBytes();
            case ERRORS -> load.due() == 0 ? 0 : (double) load.errors() / load.due();
            case STAGE_READ, STAGE_QUEUE, STAGE_ENGINE, STAGE_DELIVER, STAGE_WRITE ->
                step.record()
                        .process()
                        .stageNanos()
                        .getOrDefault(Objects.requireNonNull(kind.stage).label(), Double.NaN);
        };
    }

    /// The figure of response times.
    double of(Histogram times) {
        return switch (kind) {
            case MEAN -> times.getMean();
            case MAX -> times.getMaxValue();
            default -> times.getValueAtPercentile(percentile);
        };
    }

    /// True if there are enough requests for the figure.
    public boolean isTold(DecodedResult load) {
        return kind != Kind.PERCENTILE
                || Percentiles.isTold(percentile, load.response().getTotalCount());
    }
}
