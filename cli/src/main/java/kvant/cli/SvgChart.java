package kvant.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
    private static final List<String> COLOURS = List.of("#0b6e99", "#c4500c", "#4d7c0f", "#6d28d9");

    /// One picture of several charts, one beneath the other.
    static String page(List<SvgChart> charts) {
        int height = charts.size() * (HEIGHT + TOP + GAP);
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                        + " font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                LEFT + WIDTH + GAP,
                height));
        for (int i = 0; i < charts.size(); i++) {
            svg.append(String.format(
                    Locale.ROOT, "<g transform=\"translate(%d,%d)\">%n", LEFT, i * (HEIGHT + TOP + GAP) + TOP));
            charts.get(i).draw(svg);
            svg.append("</g>\n");
        }
        return svg.append("</svg>\n").toString();
    }

    private void draw(StringBuilder svg) {
        double top =
                curves.values().stream().flatMapToDouble(Arrays::stream).max().orElse(1);
        svg.append(String.format("<text y=\"-12\" font-weight=\"bold\">%s</text>%n", title));
        for (int line = 0; line <= GRID_LINES; line++) {
            double y = HEIGHT - (double) HEIGHT * line / GRID_LINES;
            svg.append(String.format(
                    Locale.ROOT,
                    "<path d=\"M0 %.1fH%d\" stroke=\"#ccc\"/>"
                            + "<text x=\"-8\" y=\"%.1f\" text-anchor=\"end\">%.2f</text>%n",
                    y,
                    WIDTH,
                    y + 4,
                    top * line / GRID_LINES));
        }
        int number = 0;
        for (Map.Entry<String, double[]> curve : curves.entrySet()) {
            String colour = COLOURS.get(number % COLOURS.size());
            svg.append(String.format(
                    Locale.ROOT,
                    "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"%s\"/>"
                            + "<text x=\"%d\" y=\"-12\" fill=\"%s\">%s</text>%n",
                    colour,
                    points(curve.getValue(), top),
                    WIDTH - 100 * (curves.size() - number),
                    colour,
                    curve.getKey()));
            number++;
        }
    }

    private static String points(double[] values, double top) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < values.length; i++) {
            points.append(String.format(
                    Locale.ROOT,
                    "%.1f,%.1f ",
                    (double) WIDTH * i / Math.max(1, values.length - 1),
                    HEIGHT - values[i] / top * HEIGHT));
        }
        return points.toString().strip();
    }
}
