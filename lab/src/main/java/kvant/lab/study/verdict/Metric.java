package kvant.lab.study.verdict;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.lab.study.folder.LoadResult;
import kvant.lab.study.folder.Step;
import kvant.lab.study.words.Phrase;
import kvant.lab.study.words.Value;

/// What a question compares.
///
/// @param percentile for [Kind#PERCENTILE], else NaN
public record Metric(Kind kind, double percentile) {

    /// Kinds differ in where the figure comes from and in what the sentences say.
    public enum Kind {
        PERCENTILE("latency"),
        MEAN("latency"),
        MAX("latency"),
        RATE("rate"),
        CPU("cpu"),
        MEMORY("memory"),
        ERRORS("errors");

        private final String family;

        Kind(String family) {
            this.family = family;
        }

        /// Figures of one family are compared with the same words.
        String family() {
            return family;
        }

        boolean moreIsBetter() {
            return this == RATE;
        }
    }

    /// A percentile needs so many requests beyond it to be more than a few accidents.
    static final int LEAST_BEYOND = 10;

    private static final Pattern PERCENTILE = Pattern.compile("p(\\d{1,2}(?:\\.\\d+)?)");

    static Metric percentile(double percentile) {
        return new Metric(Kind.PERCENTILE, percentile);
    }

    /// Understands `p99.9`, `mean`, `max`, `rate`, `cpu`, `memory` and `errors`; nothing is p99.
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
            default -> Optional.empty();
        };
    }

    private static Metric of(Kind kind) {
        return new Metric(kind, Double.NaN);
    }

    boolean isLatency() {
        return kind.family().equals("latency");
    }

    /// How a sentence calls it.
    public Phrase name() {
        return kind == Kind.PERCENTILE
                ? Phrase.of("metric.percentile").with("percentile", label(percentile))
                : Phrase.of("metric." + kind.name().toLowerCase(Locale.ROOT));
    }

    /// Such as `99.9`.
    public static String label(double percentile) {
        return percentile == Math.rint(percentile) ? Long.toString((long) percentile) : Double.toString(percentile);
    }

    /// A figure of it, in its unit.
    public Value value(double figure) {
        return switch (kind) {
            case PERCENTILE, MEAN, MAX, CPU -> Value.nanos(figure);
            case MEMORY -> new Value.Bytes(figure);
            case RATE -> new Value.Nested(Phrase.of("value.rate").with("rate", Value.number(figure)));
            case ERRORS -> Value.percent(figure);
        };
    }

    /// The figure of a step; NaN where it was not measured.
    double of(Step step) {
        LoadResult load = step.load();
        if (load == null) {
            return Double.NaN;
        }
        return switch (kind) {
            case PERCENTILE -> load.response().getValueAtPercentile(percentile);
            case MEAN -> load.response().getMean();
            case MAX -> load.response().getMaxValue();
            case RATE -> load.achievedRate();
            case CPU -> step.cpuNanosPerRequest();
            case MEMORY -> step.process().maxRssBytes();
            case ERRORS -> load.errorShare();
        };
    }

    /// Whether there are enough requests to speak of it.
    boolean isTold(LoadResult load) {
        return kind != Kind.PERCENTILE
                || load.response().getTotalCount() * (1 - percentile / 100) >= LEAST_BEYOND - 1e-6;
    }
}
