package kvant.lab.report;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import kvant.lab.load.Objective;
import kvant.lab.load.RateSearch;

/// The outcome of a search for a rate: a table, JSON, and the curve of latency against rate.
public final class RateReport {

    private static final int WIDTH = 900;
    private static final int HEIGHT = 480;
    private static final int LEFT = 84;
    private static final int RIGHT = 48;
    private static final int TOP = 52;
    private static final int BOTTOM = 64;
    private static final int RATE_TICKS = 5;

    private RateReport() {}

    public static void print(PrintWriter out, RateSearch.Outcome outcome) {
        out.println(String.format(
                Locale.ROOT,
                "%n%12s %12s %12s %12s %14s %9s  %s",
                "target/s",
                "achieved/s",
                "p50",
                "p99",
                "p" + Percentiles.name(outcome.objective().percentile()),
                "errors",
                "objective"));
        for (RateSearch.Probe probe : outcome.probes()) {
            out.println(row(probe));
        }
        out.println();
        out.println(String.format(
                Locale.ROOT,
                "Highest rate that holds %s: %s (%s)",
                outcome.objective(),
                outcome.rate() == 0 ? "none" : String.format(Locale.ROOT, "%.0f/s", outcome.rate()),
                outcome.limit()));
        if (!outcome.partial().isEmpty()) {
            out.println("PARTIAL: " + outcome.partial());
        }
        out.flush();
    }

    public static String row(RateSearch.Probe probe) {
        return String.format(
                Locale.ROOT,
                "%12.0f %12.0f %12s %12s %14s %8.3f%%  %s",
                probe.rate(),
                probe.achieved(),
                Percentiles.time(probe.p50Nanos()),
                Percentiles.time(probe.p99Nanos()),
                probe.objectiveNanos() == Objective.NEVER ? "never" : Percentiles.time(probe.objectiveNanos()),
                100 * probe.errorShare(),
                probe.holds() ? "holds" : probe.generatorBound() ? "generator too slow" : "fails");
    }

    public static String json(RateSearch.Outcome outcome) {
        Json json = new Json();
        json.open()
                .put("schema", "kvant-find-rate/1")
                .put("percentile", outcome.objective().percentile())
                .put("limitNanos", outcome.objective().limitNanos())
                .put("rate", outcome.rate())
                .put("limit", outcome.limit())
                .put("complete", outcome.partial().isEmpty())
                .put("partial", outcome.partial());
        json.openList("probes");
        for (RateSearch.Probe probe : outcome.probes()) {
            json.open()
                    .put("rate", probe.rate())
                    .put("achieved", probe.achieved())
                    .put("p50Nanos", probe.p50Nanos())
                    .put("p99Nanos", probe.p99Nanos())
                    .put(
                            "objectiveNanos",
                            probe.objectiveNanos() == Objective.NEVER ? Double.NaN : probe.objectiveNanos())
                    .put("errorShare", probe.errorShare())
                    .put("holds", probe.holds())
                    .put("generatorBound", probe.generatorBound())
                    .close();
        }
        json.closeList().close();
        return json.toString();
    }

    /// The curve; a probe whose percentile is "never" stands at the top.
    public static String svg(RateSearch.Outcome outcome) {
        List<RateSearch.Probe> probes = outcome.probes();
        double mostRate =
                probes.stream().mapToDouble(RateSearch.Probe::rate).max().orElse(1);
        double most = outcome.objective().limitNanos() * 10.0;
        double least = outcome.objective().limitNanos();
        for (RateSearch.Probe probe : probes) {
            least = Math.min(least, Math.max(1, probe.p50Nanos()));
        }
        double low = Math.floor(Math.log10(least));
        double high = Math.ceil(Math.log10(most));
        StringBuilder svg = begin();
        text(svg, LEFT, 28, "start", "Latency against rate; the dashed line is the objective " + outcome.objective());
        for (int decade = (int) low; decade <= high; decade++) {
            double y = y(Math.pow(10, decade), low, high);
            line(svg, LEFT, y, WIDTH - RIGHT, y, "#ddd", "");
            text(svg, LEFT - 8, y + 4, "end", Percentiles.time(Math.pow(10, decade)));
        }
        for (int tick = 0; tick <= RATE_TICKS; tick++) {
            double x = x(mostRate * tick / RATE_TICKS, mostRate);
            text(
                    svg,
                    x,
                    HEIGHT - BOTTOM + 20,
                    "middle",
                    String.format(Locale.ROOT, "%.0f/s", mostRate * tick / RATE_TICKS));
        }
        double limit = y(outcome.objective().limitNanos(), low, high);
        line(svg, LEFT, limit, WIDTH - RIGHT, limit, "#D55E00", "6 4");
        curve(svg, probes, mostRate, low, high, true);
        curve(svg, probes, mostRate, low, high, false);
        text(
                svg,
                LEFT + 12,
                TOP + 14,
                "start",
                "solid: p" + Percentiles.name(outcome.objective().percentile()) + ", dotted: p50; a point per probe");
        return svg.append("</svg>\n").toString();
    }

    private static StringBuilder begin() {
        return new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\""
                        + " font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"#222\">%n"
                        + "<title>Latency against rate</title>%n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>%n",
                WIDTH,
                HEIGHT,
                WIDTH,
                HEIGHT));
    }

    private static void curve(
            StringBuilder svg, List<RateSearch.Probe> probes, double mostRate, double low, double high, boolean tail) {
        List<String> points = new ArrayList<>();
        for (int from = 0, to; from < probes.size(); from = to) {
            double rate = probes.get(from).rate();
            to = from;
            while (to < probes.size() && probes.get(to).rate() == rate) {
                double nanos = nanos(probes.get(to++), tail);
                svg.append(String.format(
                        Locale.ROOT,
                        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"#0072B2\"/>%n",
                        x(rate, mostRate),
                        y(nanos, low, high)));
            }
            double median = probes.subList(from, to).stream()
                    .mapToDouble(probe -> nanos(probe, tail))
                    .sorted()
                    .toArray()[(to - from) / 2];
            points.add(String.format(Locale.ROOT, "%.1f,%.1f", x(rate, mostRate), y(median, low, high)));
        }
        svg.append(String.format(
                Locale.ROOT,
                "<polyline fill=\"none\" stroke=\"#0072B2\" stroke-width=\"2\" stroke-dasharray=\"%s\""
                        + " points=\"%s\"/>%n",
                tail ? "" : "2 3",
                String.join(" ", points)));
    }

    private static double nanos(RateSearch.Probe probe, boolean tail) {
        return tail ? probe.objectiveNanos() : probe.p50Nanos();
    }

    private static double x(double rate, double most) {
        return LEFT + rate / most * (WIDTH - LEFT - RIGHT);
    }

    private static double y(double nanos, double low, double high) {
        double share = (Math.log10(Math.max(1, nanos)) - low) / (high - low);
        return HEIGHT - BOTTOM - Math.clamp(share, 0, 1) * (HEIGHT - TOP - BOTTOM);
    }

    private static void line(
            StringBuilder svg, double x1, double y1, double x2, double y2, String colour, String dash) {
        svg.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-dasharray=\"%s\"/>%n",
                x1,
                y1,
                x2,
                y2,
                colour,
                dash));
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
        svg.append(String.format(
                Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, text));
    }
}
