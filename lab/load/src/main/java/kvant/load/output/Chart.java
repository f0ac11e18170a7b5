package kvant.load.output;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import kvant.load.record.Percentiles;
import kvant.load.search.RateSearch;
import kvant.text.Units;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/// A chart of latency: SVG, viewable without a browser or a script. Its vertical axis is logarithmic, because a tail
/// spans decades.
public final class Chart {

    private static final int WIDTH = 900;
    private static final int HEIGHT = 500;
    private static final int LEFT = 84;
    private static final int RIGHT = 48;
    private static final int TOP = 52;
    private static final int BOTTOM = 64;
    private static final int LEGEND_LINE = 20;
    private static final int TICKS_PER_HALF = 10;
    private static final int MOST_NINES = 7;
    private static final int RATE_TICKS = 5;
    private static final String COLOUR = "#0072B2";

    /// A curve.
    public record Series(String name, Histogram histogram) {}

    private final Svg svg;
    private final Scale across;
    private final Scale up;

    private Chart(String title, Scale across, Scale up) {
        this.across = across;
        this.up = up;
        svg = Svg.file(WIDTH, HEIGHT, title, 13);
        svg.text(LEFT, 28, title, "font-size", "16", "font-weight", "600");
        for (double decade : up.ticks()) {
            svg.line(LEFT, y(decade), WIDTH - RIGHT, y(decade), "stroke", "#ddd");
            svg.text(LEFT - 8.0, y(decade) + 4, Units.time(decade).replace(".00", ""), "text-anchor", "end");
        }
    }

    private double x(double value) {
        return LEFT + across.place(value) * (WIDTH - LEFT - RIGHT);
    }

    private double y(double nanos) {
        return HEIGHT - BOTTOM - up.place(nanos) * (HEIGHT - TOP - BOTTOM);
    }

    private Svg.Point point(double value, double nanos) {
        return new Svg.Point(x(value), y(nanos));
    }

    private void tick(double value, String label) {
        svg.line(x(value), TOP, x(value), HEIGHT - BOTTOM, "stroke", "#ddd");
        svg.text(x(value), HEIGHT - BOTTOM + 20.0, label, "text-anchor", "middle");
    }

    // --- latency by percentile -------------------------------------------------------------------------------------

    /// Latency by percentile. The horizontal axis is in nines: 99 %, 99.9 % and 99.99 % are equally spaced.
    ///
    /// @param title one line above the picture
    public static String percentiles(String title, List<Series> series) {
        List<Series> drawn = series.stream()
                .filter(one -> one.histogram().getTotalCount() > 0)
                .toList();
        long most = 1;
        long least = Long.MAX_VALUE;
        long count = 1;
        for (Series one : drawn) {
            most = Math.max(most, one.histogram().getMaxValue());
            least = Math.min(least, Math.max(1, one.histogram().getMinNonZeroValue()));
            count = Math.max(count, one.histogram().getTotalCount());
        }
        int nines = (int) Math.clamp(Math.ceil(Math.log10(count)), 1, MOST_NINES);
        Chart chart = new Chart(title, Scale.linear(0, nines), Scale.decades(Math.min(least, most), most));
        for (int tick = 0; tick <= nines; tick++) {
            chart.tick(tick, tick < 2 ? 90 * tick + "%" : tick == 2 ? "99%" : "99." + "9".repeat(tick - 2) + "%");
        }
        chart.svg.text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 16.0, "percentile", "text-anchor", "middle");
        chart.svg.upright(18, (TOP + HEIGHT - BOTTOM) / 2.0, "latency");
        for (int i = 0; i < drawn.size(); i++) {
            chart.curve(drawn.get(i), i);
        }
        return chart.svg.toString();
    }

    private void curve(Series series, int number) {
        List<Svg.Point> points = new ArrayList<>();
        Histogram histogram = series.histogram();
        points.add(point(0, Math.max(1, histogram.getMinNonZeroValue())));
        double lastNines = Math.min(across.high(), Math.log10(histogram.getTotalCount()));
        for (HistogramIterationValue value : histogram.percentiles(TICKS_PER_HALF)) {
            double rest = 1 - value.getPercentileLevelIteratedTo() / 100;
            double nines = rest <= 0 ? lastNines : Math.min(lastNines, -Math.log10(rest));
            points.add(point(nines, value.getValueIteratedTo()));
        }
        String[] stroke = Svg.Look.of(number).stroke();
        int y = TOP + 14 + number * LEGEND_LINE;
        svg.polyline(points, stroke)
                .line(LEFT + 12.0, y - 4.0, LEFT + 44.0, y - 4.0, stroke)
                .text(LEFT + 52.0, y, series.name());
    }

    // --- latency by rate -------------------------------------------------------------------------------------------

    /// Latency by rate from a rate search. A probe whose percentile is "never" is drawn at the top.
    public static String rates(RateSearch.Outcome outcome) {
        List<RateSearch.Probe> probes = outcome.probes();
        double limit = outcome.objective().limitNanos();
        double most = probes.stream().mapToDouble(RateSearch.Probe::rate).max().orElse(1);
        double least = probes.stream()
                .mapToDouble(probe -> Math.max(1, probe.p50Nanos()))
                .min()
                .orElse(limit);
        Chart chart = new Chart(
                "Latency against rate, and the objective",
                Scale.linear(0, most),
                Scale.decades(Math.min(least, limit), 10 * limit));
        for (int tick = 0; tick <= RATE_TICKS; tick++) {
            double rate = most * tick / RATE_TICKS;
            chart.tick(rate, Units.format("%.0f/s", rate));
        }
        double y = chart.y(limit);
        String objective = outcome.objective().toString();
        chart.svg.line(LEFT, y, WIDTH - RIGHT, y, "stroke", "#D55E00", "stroke-dasharray", "6 4");
        chart.svg.text(WIDTH - RIGHT - 4.0, y - 6, objective, "text-anchor", "end", "fill", "#D55E00");
        String solid = "solid: p" + Percentiles.name(outcome.objective().percentile());
        chart.svg.text(LEFT + 12.0, TOP + 14.0, solid + ", dotted: p50; a point per probe");
        chart.curve(probes, RateSearch.Probe::objectiveNanos, "none");
        chart.curve(probes, RateSearch.Probe::p50Nanos, "2 3");
        return chart.svg.toString();
    }

    /// Draws a point for each probe, and a line through the medians per rate.
    private void curve(List<RateSearch.Probe> probes, ToDoubleFunction<RateSearch.Probe> nanos, String dashes) {
        List<Svg.Point> points = new ArrayList<>();
        for (int from = 0, to; from < probes.size(); from = to) {
            double rate = probes.get(from).rate();
            to = from;
            while (to < probes.size() && probes.get(to).rate() == rate) {
                svg.circle(x(rate), y(nanos.applyAsDouble(probes.get(to++))), 3, "fill", COLOUR);
            }
            double[] ofRate = probes.subList(from, to).stream()
                    .mapToDouble(nanos)
                    .sorted()
                    .toArray();
            points.add(point(rate, ofRate[ofRate.length / 2]));
        }
        svg.polyline(points, "stroke", COLOUR, "stroke-width", "2", "stroke-dasharray", dashes);
    }
}
