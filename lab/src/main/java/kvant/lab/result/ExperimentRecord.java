package kvant.lab.result;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What was asked, and what others published on it.
///
/// @param scale `full`, `short` or `quick`; empty where it is not known
public record ExperimentRecord(
        String letter,
        String name,
        String title,
        String titleRu,
        String description,
        String scale,
        int repeats,
        List<Question> questions,
        @Nullable Objective objective,
        List<Published> published) {

    /// @param compare names of variants; the first is what the others are compared with
    /// @param phase empty for each phase
    public record Question(String id, String text, String textRu, List<String> compare, String phase, String metric) {}

    /// A limit on one percentile.
    public record Objective(double percentile, double nanos) {}

    /// Somebody else's figures.
    ///
    /// @param percentiles milliseconds by percentile; 100 is the maximum
    public record Published(String variant, String phase, Map<Double, Double> percentiles, String note) {}
}
