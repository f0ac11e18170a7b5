package kvant.lab.experiment;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvant.lab.result.Stage;

/// What an experiment is to conclude.
///
/// @param compare names of variants, the first one is what the others are compared with
/// @param phase empty for every phase
/// @param metric such as `p99`
/// @param margin a difference that matters, as a share
public record Question(
        String id, String text, String textRu, List<String> compare, String phase, String metric, double margin) {

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
    Question among(List<String> variants) {
        List<String> left = variants.contains(compare.getFirst())
                ? compare.stream().filter(variants::contains).toList()
                : List.of();
        return new Question(id, text, textRu, left, phase, metric, margin);
    }

    /// Which of its variants are compared in a phase: its first one and those that get the load as well; none where
    /// there is nothing to compare.
    List<String> comparedIn(String load, List<Variant> variants) {
        List<String> those = variants.stream()
                .filter(one -> compare.contains(one.name()) && one.gets(load))
                .map(Variant::name)
                .toList();
        boolean asked = phase.isEmpty() || phase.equals(load);
        return asked && those.size() > 1 && those.contains(compare.getFirst()) ? those : List.of();
    }

    /// Of errors its own: another one is meant as a share of a figure, and not of all requests.
    Question withMargin(double other) {
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
    static String margin(double share) {
        return BigDecimal.valueOf(share).movePointRight(2).stripTrailingZeros().toPlainString() + "%";
    }

    /// A percentile, or one of the figures that have a name.
    ///
    /// @throws IllegalArgumentException with a line for a person
    static String metric(String text) {
        String name = text.toLowerCase(Locale.ROOT);
        if (NAMED.contains(name) || name.matches("p\\d{1,2}(\\.\\d{1,4})?") && !name.matches("p0+(\\.0*)?")) {
            return name;
        }
        throw new IllegalArgumentException(
                "'" + text + "' is neither a percentile such as p99.9 nor one of " + String.join(", ", NAMED));
    }
}
