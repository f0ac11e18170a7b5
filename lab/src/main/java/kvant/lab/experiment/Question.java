package kvant.lab.experiment;

import java.util.List;
import java.util.Locale;

/// What an experiment is to conclude.
///
/// @param compare names of variants, the first one is what the others are compared with
/// @param phase empty for every phase
/// @param metric such as `p99`
public record Question(String id, String text, String textRu, List<String> compare, String phase, String metric) {

    private static final List<String> NAMED = List.of("mean", "max", "rate", "cpu", "memory", "errors");

    public Question {
        compare = List.copyOf(compare);
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
