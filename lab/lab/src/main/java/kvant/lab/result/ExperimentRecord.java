package kvant.lab.result;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvant.lab.result.StepRecord.Stage;
import org.jspecify.annotations.Nullable;

/// The definition of an experiment, and related published results.
///
/// @param source publication of the experiment, or null
/// @param untilDecided null if the number of rounds was fixed in advance
/// @param disturbedAbove share of the processors whose loss to outside causes excludes a block; NaN without such a
///     rule, as in old files
/// @param again maximum number of repetitions of a disturbed step
/// @param interleavedNanos duration of a variant in each turn of a round; 0 for rounds that were not interleaved
/// @param scale `full`, `short` or `quick`; empty if unknown
public record ExperimentRecord(
        String letter,
        String name,
        String title,
        String titleRu,
        String description,
        String descriptionRu,
        @Nullable Source source,
        String scale,
        int repeats,
        List<Question> questions,
        @Nullable Objective objective,
        List<Published> published,
        @Nullable UntilDecided untilDecided,
        double disturbedAbove,
        int again,
        long interleavedNanos) {

    /// A question of an experiment.
    ///
    /// @param compare names of variants; the others are compared with the first
    /// @param phase empty for all phases
    /// @param metric such as `p99`
    /// @param margin smallest relevant difference, as a share; NaN or 0 for the default
    public record Question(
            String id, String text, String textRu, List<String> compare, String phase, String metric, double margin) {

        /// The default margin.
        public static final double USUAL_MARGIN = 0.1;

        private static final Pattern MARGIN = Pattern.compile("(\\d{1,3}(?:\\.\\d)?)\\s*%");

        /// Twice the smallest change that the tool can detect.
        private static final double LEAST_MARGIN = 0.01;

        private static final String ERRORS = "errors";

        private static final List<String> NAMED = Stream.concat(
                        Stream.of("mean", "max", "rate", "cpu", "memory", ERRORS),
                        Stream.of(Stage.values()).map(Stage::metric))
                .toList();

        public Question {
            compare = List.copyOf(compare);
        }

        /// Restricted to these variants; without variants if the first is missing.
        public Question among(List<String> variants) {
            List<String> left = variants.contains(compare.getFirst())
                    ? compare.stream().filter(variants::contains).toList()
                    : List.of();
            return new Question(id, text, textRu, left, phase, metric, margin);
        }

        /// The variants that are compared in a phase: the first, and others that have the same load; empty if there is
        /// nothing to compare.
        ///
        /// @param getting all variants that have the load
        public List<String> comparedIn(String load, List<String> getting) {
            List<String> those = getting.stream().filter(compare::contains).toList();
            boolean asked = phase.isEmpty() || phase.equals(load);
            return asked && those.size() > 1 && those.contains(compare.getFirst()) ? those : List.of();
        }

        /// A question about errors keeps its own margin, which is a share of all requests, not of a figure.
        public Question withMargin(double other) {
            return metric.equals(ERRORS) ? this : new Question(id, text, textRu, compare, phase, metric, other);
        }

        /// Parses a share such as `5%`.
        ///
        /// @throws IllegalArgumentException with a readable one-line reason
        public static double margin(String text) {
            Matcher matcher = MARGIN.matcher(text);
            double share = matcher.matches() // no division: 2.2 / 100 is 0.022000000000000002
                    ? new BigDecimal(matcher.group(1)).movePointLeft(2).doubleValue()
                    : 0;
            if (share < LEAST_MARGIN || share > 1) {
                throw new IllegalArgumentException("'" + text + "' is not a difference from 1% to 100%");
            }
            return share;
        }

        /// The inverse of [#margin].
        public static String margin(double share) {
            return BigDecimal.valueOf(share)
                            .movePointRight(2)
                            .stripTrailingZeros()
                            .toPlainString() + "%";
        }

        /// A percentile, or another named figure.
        ///
        /// @throws IllegalArgumentException with a readable one-line reason
        public static String metric(String text) {
            String name = text.toLowerCase(Locale.ROOT);
            if (NAMED.contains(name) || name.matches("p\\d{1,2}(\\.\\d{1,4})?") && !name.matches("p0+(\\.0*)?")) {
                return name;
            }
            throw new IllegalArgumentException(
                    "'" + text + "' is neither a percentile such as p99.9 nor one of " + String.join(", ", NAMED));
        }

        public double marginOrUsual() {
            return margin > 0 ? margin : USUAL_MARGIN;
        }
    }

    /// A run whose rounds continued until each question was answered.
    ///
    /// @param atMostNanos time limit
    /// @param looks interim analyses, in order
    public record UntilDecided(long atMostNanos, List<Look> looks) {

        public UntilDecided(long atMostNanos) {
            this(atMostNanos, List.of());
        }

        /// Share of the time that had been used at the last analysis.
        public double spent() {
            return looks.isEmpty() ? 0 : looks.getLast().spent();
        }

        /// With another analysis; it replaces one at the same round.
        public UntilDecided with(Look look) {
            List<Look> all = new ArrayList<>(looks);
            all.removeIf(one -> one.repeat() == look.repeat());
            all.add(look);
            return new UntilDecided(atMostNanos, List.copyOf(all));
        }
    }

    /// An interim analysis.
    ///
    /// @param repeat the last round included
    /// @param spent share of the time limit used; 1 at the last analysis of a run whose time was used up
    public record Look(int repeat, double spent) {}

    /// A published report.
    ///
    /// @param course for which it was written
    /// @param stage of the course
    /// @param links to the report
    public record Source(
            String title,
            String titleRu,
            String course,
            String year,
            String stage,
            String stageRu,
            List<String> links) {}

    /// A limit for one percentile.
    public record Objective(double percentile, double nanos) {}

    /// Published figures of other authors.
    ///
    /// @param percentiles milliseconds by percentile; 100 is the maximum
    public record Published(String variant, String phase, Map<Double, Double> percentiles, String note, String noteRu) {

        public Published {
            percentiles = Collections.unmodifiableMap(new TreeMap<>(percentiles));
        }
    }
}
