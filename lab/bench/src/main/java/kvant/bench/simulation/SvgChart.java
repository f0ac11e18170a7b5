package kvant.bench.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import kvant.load.output.Svg;
import kvant.text.Scale;

/// Curves as a picture.
///
/// @param curves values from left to right, by name
record SvgChart(String title, Map<String, double[]> curves) {

    private static final int WIDTH = 640;
    private static final int HEIGHT = 240;
    private static final int LEFT = 48;
    private static final int TOP = 36;
    private static final int GAP = 40;
    private static final int GRID_LINES = 4;

    /// One picture of several charts, one beneath the other.
    static String page(String title, List<SvgChart> charts) {
        Svg svg = Svg.file(LEFT + WIDTH + GAP, charts.size() * (HEIGHT + TOP + GAP), title, 12);
        for (int i = 0; i < charts.size(); i++) {
            svg.openAt(LEFT, i * (HEIGHT + TOP + GAP) + TOP);
            charts.get(i).draw(svg);
            svg.close();
        }
        return svg.toString();
    }

    private void draw(Svg svg) {
        double top =
                curves.values().stream().flatMapToDouble(Arrays::stream).max().orElse(1);
        Scale up = Scale.linear(0, top > 0 ? top : 1);
        svg.text(0, -12, title, "font-weight", "bold");
        for (int line = 0; line <= GRID_LINES; line++) {
            double y = HEIGHT - (double) HEIGHT * line / GRID_LINES;
            svg.line(0, y, WIDTH, y, "stroke", "#ccc");
            svg.text(-8, y + 4, String.format(Locale.ROOT, "%.2f", top * line / GRID_LINES), "text-anchor", "end");
        }
        int number = 0;
        for (Map.Entry<String, double[]> curve : curves.entrySet()) {
            Svg.Look look = Svg.Look.of(number);
            svg.polyline(points(curve.getValue(), up), look.stroke());
            svg.text(WIDTH - 100.0 * (curves.size() - number), -12, curve.getKey(), "fill", look.colour());
            number++;
        }
    }

    private static List<Svg.Point> points(double[] values, Scale up) {
        List<Svg.Point> points = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            double x = (double) WIDTH * i / Math.max(1, values.length - 1);
            points.add(new Svg.Point(x, HEIGHT - up.place(values[i]) * HEIGHT));
        }
        return points;
    }
}
