package kvant.lab.study.folder;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What was asked, and what others published on it.
///
/// @param scale `full`, `short` or `quick`; empty where it is not known
public record Experiment(
        String name,
        String title,
        String titleRu,
        String description,
        String scale,
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
    /// @param millis by percentile; 100 is the maximum
    public record Published(String variant, String phase, Map<Double, Double> millis, String note) {}

    static Experiment of(Document json) {
        List<Question> questions = new ArrayList<>();
        for (Document one : json.at("questions").list()) {
            questions.add(new Question(
                    one.at("id").text(),
                    one.at("text").text(),
                    one.at("textRu").text(),
                    one.at("compare").texts(),
                    one.at("phase").text(),
                    one.at("metric").text()));
        }
        List<Published> published = new ArrayList<>();
        for (Document one : json.at("published").list()) {
            published.add(new Published(
                    one.at("variant").text(),
                    one.at("phase").text(),
                    millis(one.at("percentiles")),
                    one.at("note").text()));
        }
        Document objective = json.at("objective");
        boolean hasObjective =
                objective.at("percentile").number() > 0 && objective.at("nanos").number() > 0;
        return new Experiment(
                json.at("name").text(),
                json.at("title").text(),
                json.at("titleRu").text(),
                json.at("description").text(),
                json.at("scale").text(),
                questions,
                hasObjective
                        ? new Objective(
                                objective.at("percentile").number(),
                                objective.at("nanos").number())
                        : null,
                published);
    }

    private static Map<Double, Double> millis(Document json) {
        Map<Double, Double> millis = new TreeMap<>();
        json.members().forEach((percentile, value) -> {
            double at = percentile(percentile);
            if (at > 0 && at <= 100 && value.number() > 0) {
                millis.put(at, value.number());
            }
        });
        return millis;
    }

    private static double percentile(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException _) {
            return Double.NaN;
        }
    }
}
