package kvant.report.page;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import kvant.lab.result.ExperimentRecord.Objective;
import kvant.lab.result.ExperimentRecord.Published;
import kvant.report.folder.DecodedResult;
import kvant.report.words.Phrase;
import kvant.report.words.Value;
import kvant.text.Json;
import org.HdrHistogram.Histogram;

/// Data of the chart of latency by percentile. The axis is in nines: 1 is 90 %, 2 is 99 %, 3 is 99.9 %.
final class LatencyChart {

    private static final double STEP = 0.05;
    private static final double MOST_NINES = 6;

    private LatencyChart() {}

    static Block of(Content to, List<Measured> measured) {
        double most = measured.stream()
                .mapToDouble(one -> PhaseSection.nines(one.response()))
                .max()
                .orElse(1);
        double end = Math.min(MOST_NINES, most);
        int points = (int) Math.ceil(end / STEP) + 1;
        double[] x = new double[points];
        for (int i = 0; i < points; i++) {
            x[i] = Math.min(end, i * STEP);
        }
        Json json = new Json().open().put("kind", "latency");
        TimeChart.list(json, "x", x);
        json.openList("series");
        for (Measured one : measured) {
            series(json, to, one, x);
        }
        json.closeList();
        Objective objective = to.results().run().experiment().objective();
        if (objective != null) {
            json.open("objective")
                    .put("nines", -Math.log10(1 - Math.min(objective.percentile(), 99.9999) / 100))
                    .put("millis", objective.nanos() / 1e6)
                    .put(
                            "label",
                            to.say(Phrase.of("objective.label")
                                    .with("percentile", CostSection.percentile(to, objective))
                                    .with("limit", Value.nanos(objective.nanos()))))
                    .close();
        }
        json.close();
        String description = to.say(Phrase.of("percentiles.description")
                .with(
                        "variants",
                        measured.stream().map(one -> one.title(to.words())).collect(Collectors.joining(", "))));
        return new Block.Chart("latency", description, json.toString());
    }

    private static void series(Json json, Content to, Measured one, double[] x) {
        Histogram all = one.response();
        List<Histogram> rounds =
                one.loads().stream().map(DecodedResult::response).toList();
        double end = PhaseSection.nines(all);
        double[] middle = new double[x.length];
        double[] low = new double[x.length];
        double[] high = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            double percentile = 100 * (1 - Math.pow(10, -x[i]));
            boolean there = x[i] <= end + STEP / 2;
            middle[i] = there ? millis(all.getValueAtPercentile(percentile)) : Double.NaN;
            double[] each = rounds.stream()
                    .mapToDouble(round -> millis(round.getValueAtPercentile(percentile)))
                    .sorted()
                    .toArray();
            low[i] = there ? each[0] : Double.NaN;
            high[i] = there ? each[each.length - 1] : Double.NaN;
        }
        json.open().put("name", one.title(to.words())).put("colour", one.colour());
        TimeChart.list(json, "y", middle);
        if (rounds.size() > 1 && !Arrays.equals(low, high)) {
            TimeChart.list(json, "low", low);
            TimeChart.list(json, "high", high);
        }
        double[] published = published(to, one, x);
        if (Arrays.stream(published).anyMatch(Double::isFinite)) {
            TimeChart.list(json, "published", published);
        }
        json.close();
    }

    /// Published figures for the same variant and phase, in milliseconds at their positions on the axis. The maximum
    /// has no position.
    private static double[] published(Content to, Measured one, double[] x) {
        double[] points = new double[x.length];
        Arrays.fill(points, Double.NaN);
        for (Published figures : to.results().run().experiment().published()) {
            boolean own = figures.variant().equals(one.variant().name())
                    && figures.phase().equals(one.phase().name());
            if (own) {
                figures.percentiles().forEach((percentile, millis) -> {
                    long at = Math.round(-Math.log10(1 - percentile / 100) / STEP);
                    if (percentile < 100 && at < points.length) {
                        points[(int) at] = millis;
                    }
                });
            }
        }
        return points;
    }

    /// Rounded to microseconds, and not 0, which has no logarithm.
    static double millis(double nanos) {
        return Math.max(0.001, Math.rint(nanos / 1000) / 1000);
    }
}
