package kvant.bench.figures;

import java.util.List;
import java.util.Map;
import kvant.text.Scale;
import kvant.text.Svg;

/// Curves as SVG, one pair of axes beneath the other: no script, no font of its own, told apart without colours.
///
/// @param title for screen readers
public record Chart(String title, List<Panel> panels) {

    private static final int WIDTH = 640;
    private static final int HEIGHT = 240;
    private static final int LEFT = 60;
    private static final int TOP = 40;
    private static final int BOTTOM = 50;
    private static final int GAP = 20;
    private static final int NAME_WIDTH = 100;

    /// One pair of axes. Only the ticks of a scale get lines.
    ///
    /// @param curves points, each a pair of values, by name
    public record Panel(
            String heading, Scale across, String acrossLabel, Scale up, Map<String, List<double[]>> curves) {

        private void draw(Svg svg) {
            svg.text(0, -14, heading, "font-weight", "bold");
            for (double tick : across.ticks()) {
                svg.line(x(tick), 0, x(tick), HEIGHT, "stroke", "#ddd");
                svg.text(x(tick), HEIGHT + 18.0, Scale.text(tick), "text-anchor", "middle");
            }
            for (double tick : up.ticks()) {
                svg.line(0, y(tick), WIDTH, y(tick), "stroke", "#ddd");
                svg.text(-8, y(tick) + 4, Scale.text(tick), "text-anchor", "end");
            }
            svg.text(WIDTH / 2.0, HEIGHT + 36.0, acrossLabel, "text-anchor", "middle");
            int number = 0;
            for (Map.Entry<String, List<double[]>> curve : curves.entrySet()) {
                Svg.Look look = Svg.Look.of(number);
                List<Svg.Point> places = curve.getValue().stream()
                        .map(point -> new Svg.Point(x(point[0]), y(point[1])))
                        .toList();
                svg.polyline(places, look.stroke());
                svg.text(
                        WIDTH - (double) NAME_WIDTH * (curves.size() - number),
                        -14,
                        curve.getKey(),
                        "fill",
                        look.colour());
                number++;
            }
        }

        private double x(double value) {
            return across.place(value) * WIDTH;
        }

        private double y(double value) {
            return (1 - up.place(value)) * HEIGHT;
        }
    }

    public String svg() {
        int each = TOP + HEIGHT + BOTTOM;
        Svg svg = Svg.file(LEFT + WIDTH + GAP, panels.size() * each, title, 12);
        for (int i = 0; i < panels.size(); i++) {
            svg.openAt(LEFT, (double) i * each + TOP);
            panels.get(i).draw(svg);
            svg.close();
        }
        return svg.toString();
    }
}
