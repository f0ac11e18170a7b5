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
import org.jspecify.annotations.Nullable;

/// What was asked, and what others published on it.
///
/// @param source where the experiment was published, null where it was not
/// @param untilDecided null where the number of rounds was fixed beforehand
/// @param disturbedAbove share of the processors that something outside may take before a block is left out; NaN where
///     there was no such rule, as in old files
/// @param again how often a step in which it took more was measured once more, at most
/// @param interleavedNanos how long a variant was measured in each turn of a round; 0 where rounds were not interleaved
/// @param scale `full`, `short` or `quick`; empty where it is not known
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

    /// What an experiment is to conclude.
    ///
    /// @param compare names of variants; the first is what the others are compared with
    /// @param phase empty for each phase
    /// @param metric such as `p99`
    /// @param margin a difference that matters, as a share; NaN or 0 where it is the usual one
    public record Question(
            String id, String text, String textRu, List<String> compare, String phase, String metric, double margin) {

        /// What matters where nobody says otherwise.
        public static final double USUAL_MARGIN = 0.1;

        private static final Pattern MARGIN = Pattern.compile("(\\d{1,3}(?:\\.\\d)?)\\s*%");

        /// Twice the change that the tool cannot tell from none.
        private static final double LEAST_MARGIN = 0.01;

        private static final String ERRORS = "errors";

        private static final List<String> NAMED = Stream.concat(
                        Stream.of("mean", "max", "rate", "cpu", "memory", ERRORS),
                        Stream.of(Stage.values()).map(Stage::metric))
                .toList();

        public Question {
            compare = List.copyOf(compare);
        }

        /// Of these variants alone; of none where the first is not among them.
        public Question among(List<String> variants) {
            List<String> left = variants.contains(compare.getFirst())
                    ? compare.stream().filter(variants::contains).toList()
                    : List.of();
            return new Question(id, text, textRu, left, phase, metric, margin);
        }

        /// Which of its variants are compared in a phase: its first one and those that get the load as well; none where
        /// there is nothing to compare.
        ///
        /// @param getting all variants that get the load
        public List<String> comparedIn(String load, List<String> getting) {
            List<String> those = getting.stream().filter(compare::contains).toList();
            boolean asked = phase.isEmpty() || phase.equals(load);
            return asked && those.size() > 1 && those.contains(compare.getFirst()) ? those : List.of();
        }

        /// Of errors its own: another one is meant as a share of a figure, and not of all requests.
        public Question withMargin(double other) {
            return metric.equals(ERRORS) ? this : new Question(id, text, textRu, compare, phase, metric, other);
        }

        /// A share such as `5%`.
        ///
        /// @throws IllegalArgumentException with a line for a person
        public static double margin(String text) {
            Matcher matcher = MARGIN.matcher(text);
            double share = matcher.matches() // not a quotient: 2.2 / 100 is 0.022000000000000002
                    ? new BigDecimal(matcher.group(1)).movePointLeft(2).doubleValue()
                    : 0;
            if (share < LEAST_MARGIN || share > 1) {
                throw new IllegalArgumentException("'" + text + "' is not a difference from 1% to 100%");
            }
            return share;
        }

        /// As [#margin] reads it.
        public static String margin(double share) {
            return BigDecimal.valueOf(share)
                            .movePointRight(2)
                            .stripTrailingZeros()
                            .toPlainString() + "%";
        }

        /// A percentile, or one of the figures that have a name.
        ///
        /// @throws IllegalArgumentException with a line for a person
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

    /// Rounds went on until each question had its answer.
    ///
    /// @param atMostNanos how long they might take
    /// @param looks at the answers, in their order
    public record UntilDecided(long atMostNanos, List<Look> looks) {

        public UntilDecided(long atMostNanos) {
            this(atMostNanos, List.of());
        }

        /// Share of the time that was spent at the last look.
        public double spent() {
            return looks.isEmpty() ? 0 : looks.getLast().spent();
        }

        /// With another look; one at the same round takes its place.
        public UntilDecided with(Look look) {
            List<Look> all = new ArrayList<>(looks);
            all.removeIf(one -> one.repeat() == look.repeat());
            all.add(look);
            return new UntilDecided(atMostNanos, List.copyOf(all));
        }
    }

    /// A look at the answers while the run went on.
    ///
    /// @param repeat the last round that was there
    /// @param spent share of the time that the run might take; 1 at the last look of one whose time was spent
    public record Look(int repeat, double spent) {}

    /// A published report.
    ///
    /// @param course in which it was written
    /// @param stage of the course
    /// @param links where it can be found
    public record Source(
            String title,
            String titleRu,
            String course,
            String year,
            String stage,
            String stageRu,
            List<String> links) {}

    /// A limit on one percentile.
    public record Objective(double percentile, double nanos) {}

    /// Somebody else's figures.
    ///
    /// @param percentiles milliseconds by percentile; 100 is the maximum
    public record Published(String variant, String phase, Map<Double, Double> percentiles, String note, String noteRu) {

        public Published {
            percentiles = Collections.unmodifiableMap(new TreeMap<>(percentiles));
        }
    }
}
