package kvant.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/// Latency by percentile as a picture: SVG, without a browser or a script.
///
/// The horizontal axis is in nines, so that 99 %, 99.9 % and 99.99 % are as far apart as they are rare; the vertical
/// one is logarithmic, because a tail spans decades.
public final class PercentileChart {

    private static final int WIDTH = 900;
    private static final int HEIGHT = 520;
    private static final int LEFT = 84;
    private static final int RIGHT = 48;
    private static final int TOP = 52;
    private static final int BOTTOM = 64;
    private static final int LEGEND_LINE = 20;
    private static final int TICKS_PER_HALF = 10;
    private static final int MOST_NINES = 7;

    /// Told apart by people who see few colours (Okabe and Ito), and by their dashes by everybody else.
    private static final String[] COLOURS = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"};

    private static final String[] DASHES = {"", "8 4", "2 3", "10 3 2 3", "4 4", "14 4"};

    /// A curve.
    public record Series(String name, Histogram histogram) {}

    private final StringBuilder svg = new StringBuilder();
    private final double mostNines;
    private final double leastLog;
    private final double mostLog;

    private PercentileChart(List<Series> series) {
        long most = 1;
        long least = Long.MAX_VALUE;
        long count = 1;
        for (Series one : series) {
            most = Math.max(most, one.histogram().getMaxValue());
            least = Math.min(least, Math.max(1, one.histogram().getMinNonZeroValue()));
            count = Math.max(count, one.histogram().getTotalCount());
        }
        mostNines = Math.clamp(Math.ceil(Math.log10(count)), 1, MOST_NINES);
        leastLog = Math.floor(Math.log10(Math.min(least, most)));
        mostLog = Math.max(leastLog + 1, Math.ceil(Math.log10(most)));
    }

    /// @param title one line above the picture
    public static String svg(String title, List<Series> series) {
        List<Series> drawn = series.stream()
                .filter(one -> one.histogram().getTotalCount() > 0)
                .toList();
        PercentileChart chart = new PercentileChart(drawn);
        chart.begin(title);
        chart.axes();
        for (int i = 0; i < drawn.size(); i++) {
            chart.curve(drawn.get(i), i);
        }
        chart.svg.append("</svg>\n");
        return chart.svg.toString();
    }

    private void add(String format, Object... arguments) {
        svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }

    private void begin(String title) {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\"",
                WIDTH, HEIGHT, WIDTH, HEIGHT);
        add(" role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"#222\">");
        add("<title>%s</title>", escaped(title));
        add("<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>", WIDTH, HEIGHT);
        add("<text x=\"%d\" y=\"28\" font-size=\"16\" font-weight=\"600\">%s</text>", LEFT, escaped(title));
    }

    private void axes() {
        for (int decade = (int) leastLog; decade <= mostLog; decade++) {
            double y = y(Math.pow(10, decade));
            add("<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>", LEFT, y, WIDTH - RIGHT, y);
            add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>", LEFT - 8, y + 4, label(decade));
        }
        for (int nines = 0; nines <= mostNines; nines++) {
            double x = x(nines);
            add("<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/>", x, TOP, x, HEIGHT - BOTTOM);
            add("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>", x, HEIGHT - BOTTOM + 20, nines(nines));
        }
        add(
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">percentile</text>",
                (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 16);
        int middle = (TOP + HEIGHT - BOTTOM) / 2;
        add(
                "<text x=\"18\" y=\"%d\" text-anchor=\"middle\" transform=\"rotate(-90 18 %d)\">latency</text>",
                middle, middle);
    }

    private static String nines(int nines) {
        return switch (nines) {
            case 0 -> "0%";
            case 1 -> "90%";
            case 2 -> "99%";
            default -> "99." + "9".repeat(nines - 2) + "%";
        };
    }

    private static String label(int decade) {
        double nanos = Math.pow(10, decade);
        if (nanos < 1e3) {
            return String.format(Locale.ROOT, "%.0f ns", nanos);
        }
        if (nanos < 1e6) {
            return String.format(Locale.ROOT, "%.0f us", nanos / 1e3);
        }
        return nanos < 1e9
                ? String.format(Locale.ROOT, "%.0f ms", nanos / 1e6)
                : String.format(Locale.ROOT, "%.0f s", nanos / 1e9);
    }

    private double x(double nines) {
        return LEFT + Math.clamp(nines / mostNines, 0, 1) * (WIDTH - LEFT - RIGHT);
    }

    private double y(double nanos) {
        double share = (Math.log10(Math.max(1, nanos)) - leastLog) / (mostLog - leastLog);
        return HEIGHT - BOTTOM - Math.clamp(share, 0, 1) * (HEIGHT - TOP - BOTTOM);
    }

    private void curve(Series series, int number) {
        List<String> points = new ArrayList<>();
        Histogram histogram = series.histogram();
        points.add(point(0, Math.max(1, histogram.getMinNonZeroValue())));
        double lastNines = Math.min(mostNines, Math.log10(histogram.getTotalCount()));
        for (HistogramIterationValue value : histogram.percentiles(TICKS_PER_HALF)) {
            double rest = 1 - value.getPercentileLevelIteratedTo() / 100;
            double nines = rest <= 0 ? lastNines : Math.min(lastNines, -Math.log10(rest));
            points.add(point(nines, value.getValueIteratedTo()));
        }
        String colour = COLOURS[number % COLOURS.length];
        String dash = DASHES[number % DASHES.length];
        add(
                "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\" points=\"%s\"/>",
                colour, dash, String.join(" ", points));
        int y = TOP + 14 + number * LEGEND_LINE;
        add(
                "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\""
                        + " stroke-dasharray=\"%s\"/>",
                LEFT + 12, y - 4, LEFT + 44, y - 4, colour, dash);
        add("<text x=\"%d\" y=\"%d\">%s</text>", LEFT + 52, y, escaped(series.name()));
    }

    private String point(double nines, double nanos) {
        return String.format(Locale.ROOT, "%.1f,%.1f", x(nines), y(nanos));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
