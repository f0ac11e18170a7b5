package kvant.load.output;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import kvant.text.Scale;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/// A chart of latency by percentile: SVG, viewable without a browser or a script.
///
/// The horizontal axis is in nines: 99 %, 99.9 % and 99.99 % are equally spaced. The vertical axis is logarithmic,
/// because a tail spans decades.
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

    /// A curve.
    public record Series(String name, Histogram histogram) {}

    private final Svg svg;
    private final double mostNines;
    private final Scale up;

    private PercentileChart(String title, List<Series> series) {
        long most = 1;
        long least = Long.MAX_VALUE;
        long count = 1;
        for (Series one : series) {
            most = Math.max(most, one.histogram().getMaxValue());
            least = Math.min(least, Math.max(1, one.histogram().getMinNonZeroValue()));
            count = Math.max(count, one.histogram().getTotalCount());
        }
        svg = Svg.file(WIDTH, HEIGHT, title, 13);
        mostNines = Math.clamp(Math.ceil(Math.log10(count)), 1, MOST_NINES);
        up = Scale.decades(Math.min(least, most), most);
    }

    /// @param title one line above the picture
    public static String svg(String title, List<Series> series) {
        List<Series> drawn = series.stream()
                .filter(one -> one.histogram().getTotalCount() > 0)
                .toList();
        PercentileChart chart = new PercentileChart(title, drawn);
        chart.svg.text(LEFT, 28, title, "font-size", "16", "font-weight", "600");
        chart.axes();
        for (int i = 0; i < drawn.size(); i++) {
            chart.curve(drawn.get(i), i);
        }
        return chart.svg.toString();
    }

    private void axes() {
        for (double decade : up.ticks()) {
            double y = y(decade);
            svg.line(LEFT, y, WIDTH - RIGHT, y, "stroke", "#ddd");
            svg.text(LEFT - 8.0, y + 4, label(decade), "text-anchor", "end");
        }
        for (int nines = 0; nines <= mostNines; nines++) {
            double x = x(nines);
            svg.line(x, TOP, x, HEIGHT - BOTTOM, "stroke", "#ddd");
            svg.text(x, HEIGHT - BOTTOM + 20.0, nines(nines), "text-anchor", "middle");
        }
        svg.text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 16.0, "percentile", "text-anchor", "middle");
        svg.upright(18, (TOP + HEIGHT - BOTTOM) / 2.0, "latency");
    }

    private static String nines(int nines) {
        return switch (nines) {
            case 0 -> "0%";
            case 1 -> "90%";
            case 2 -> "99%";
            default -> "99." + "9".repeat(nines - 2) + "%";
        };
    }

    private static String label(double nanos) {
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
        return HEIGHT - BOTTOM - up.place(nanos) * (HEIGHT - TOP - BOTTOM);
    }

    private void curve(Series series, int number) {
        List<Svg.Point> points = new ArrayList<>();
        Histogram histogram = series.histogram();
        points.add(point(0, Math.max(1, histogram.getMinNonZeroValue())));
        double lastNines = Math.min(mostNines, Math.log10(histogram.getTotalCount()));
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

    private Svg.Point point(double nines, double nanos) {
        return new Svg.Point(x(nines), y(nanos));
    }
}
