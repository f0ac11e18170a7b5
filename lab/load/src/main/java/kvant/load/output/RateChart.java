package kvant.load.output;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import kvant.load.record.Percentiles;
import kvant.load.search.Objective;
import kvant.load.search.RateSearch;
import kvant.text.Scale;
import kvant.text.Units;

/// A chart of latency by rate from a rate search: SVG. A probe whose percentile is "never" is drawn at the top.
public final class RateChart {

    private static final int WIDTH = 900;
    private static final int HEIGHT = 480;
    private static final int LEFT = 84;
    private static final int RIGHT = 48;
    private static final int TOP = 52;
    private static final int BOTTOM = 64;
    private static final int RATE_TICKS = 5;
    private static final String COLOUR = "#0072B2";

    private final RateSearch.Outcome outcome;
    private final Scale across;
    private final Scale up;
    private final Svg svg = Svg.file(WIDTH, HEIGHT, "Latency against rate", 13);

    private RateChart(RateSearch.Outcome outcome) {
        this.outcome = outcome;
        List<RateSearch.Probe> probes = outcome.probes();
        across = Scale.linear(
                0, probes.stream().mapToDouble(RateSearch.Probe::rate).max().orElse(1));
        double limit = outcome.objective().limitNanos();
        double least = probes.stream()
                .mapToDouble(probe -> Math.max(1, probe.p50Nanos()))
                .min()
                .orElse(limit);
        up = Scale.decades(Math.min(least, limit), 10 * limit);
    }

    public static String svg(RateSearch.Outcome outcome) {
        RateChart chart = new RateChart(outcome);
        chart.axes();
        chart.curve(RateSearch.Probe::objectiveNanos, "none");
        chart.curve(RateSearch.Probe::p50Nanos, "2 3");
        return chart.svg.toString();
    }

    private void axes() {
        Objective objective = outcome.objective();
        svg.text(LEFT, 28, "Latency against rate, and the objective");
        for (double decade : up.ticks()) {
            svg.line(LEFT, y(decade), WIDTH - RIGHT, y(decade), "stroke", "#ddd");
            svg.text(LEFT - 8.0, y(decade) + 4, Units.time(decade), "text-anchor", "end");
        }
        for (int tick = 0; tick <= RATE_TICKS; tick++) {
            double rate = across.high() * tick / RATE_TICKS;
            String label = String.format(Locale.ROOT, "%.0f/s", rate);
            svg.text(x(rate), HEIGHT - BOTTOM + 20.0, label, "text-anchor", "middle");
        }
        double limit = y(objective.limitNanos());
        svg.line(LEFT, limit, WIDTH - RIGHT, limit, "stroke", "#D55E00", "stroke-dasharray", "6 4");
        svg.text(WIDTH - RIGHT - 4.0, limit - 6, objective.toString(), "text-anchor", "end", "fill", "#D55E00");
        String solid = "solid: p" + Percentiles.name(objective.percentile());
        svg.text(LEFT + 12.0, TOP + 14.0, solid + ", dotted: p50; a point per probe");
    }

    /// Draws a point for each probe, and a line through the medians per rate.
    private void curve(ToDoubleFunction<RateSearch.Probe> nanos, String dashes) {
        List<RateSearch.Probe> probes = outcome.probes();
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
            points.add(new Svg.Point(x(rate), y(ofRate[ofRate.length / 2])));
        }
        svg.polyline(points, "stroke", COLOUR, "stroke-width", "2", "stroke-dasharray", dashes);
    }

    private double x(double rate) {
        return LEFT + across.place(rate) * (WIDTH - LEFT - RIGHT);
    }

    private double y(double nanos) {
        return HEIGHT - BOTTOM - up.place(nanos) * (HEIGHT - TOP - BOTTOM);
    }
}
