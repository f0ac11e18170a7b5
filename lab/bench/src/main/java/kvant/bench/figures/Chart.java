package kvant.bench.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import kvant.load.output.Svg;
import kvant.text.Scale;

/// Panels with lines, two beside each other, as SVG: no script, no font of its own, told apart without colours.
/// Belongs to one thread.
public final class Chart {

    private static final int WIDTH = 460;
    private static final int HEIGHT = 330;
    private static final int LEFT = 66;
    private static final int RIGHT = 20;
    private static final int TOP = 46;
    private static final int BOTTOM = 56;
    private static final int LEGEND = 34;
    private static final int LEGEND_STEP = 130;

    /// Attributes of areas.
    private static final String[] AREA = {"fill", "#CC79A7", "fill-opacity", "0.4"};

    private final String title;
    private final List<String> names;
    private final List<Panel> panels = new ArrayList<>();
    private String area = "";

    /// @param title for screen readers
    /// @param names of the lines, for the legend
    public Chart(String title, List<String> names) {
        this.title = title;
        this.names = List.copyOf(names);
    }

    /// What an area means, for the legend.
    public void explainArea(String meaning) {
        area = meaning;
    }

    /// The next one, left to right and down.
    public Panel panel(String heading) {
        Panel panel = new Panel(heading, panels.size() % 2 * WIDTH, LEGEND + panels.size() / 2 * HEIGHT);
        panels.add(panel);
        return panel;
    }

    public String svg() {
        int height = LEGEND + (panels.size() + 1) / 2 * HEIGHT;
        Svg svg = Svg.file(2 * WIDTH, height, title, 12);
        for (int i = 0; i < names.size(); i++) {
            int x = LEFT + i * LEGEND_STEP;
            svg.line(x, 20, x + 32.0, 20, Svg.Look.of(i).stroke()).text(x + 38.0, 24, names.get(i));
        }
        if (!area.isEmpty()) {
            int x = LEFT + names.size() * LEGEND_STEP;
            svg.rectangle(x, 14, 12, 12, AREA).text(x + 18.0, 24, area);
        }
        panels.forEach(panel -> panel.draw(svg));
        return svg.toString();
    }

    /// One pair of axes.
    public static final class Panel {

        private final String heading;
        private final int left;
        private final int top;
        private final List<Consumer<Svg>> parts = new ArrayList<>();
        private Scale across = Scale.linear(0, 1);
        private Scale up = Scale.linear(0, 1);

        private Panel(String heading, int left, int top) {
            this.heading = heading;
            this.left = left;
            this.top = top;
        }

        private void draw(Svg svg) {
            svg.openAt(left, top).text(LEFT, 26, heading, "font-size", "15", "font-weight", "600");
            parts.forEach(part -> part.accept(svg));
            svg.close();
        }

        private double x(double value) {
            return LEFT + across.place(value) * (WIDTH - LEFT - RIGHT);
        }

        private double y(double place) {
            return HEIGHT - BOTTOM - place * (HEIGHT - TOP - BOTTOM);
        }

        public void axes(Scale horizontal, String horizontalLabel, Scale vertical, String verticalLabel) {
            across = horizontal;
            up = vertical;
            parts.add(svg -> {
                for (double tick : across.ticks()) {
                    rule(svg, x(tick), "#ddd");
                    svg.text(x(tick), HEIGHT - BOTTOM + 18.0, Scale.text(tick), "text-anchor", "middle");
                }
                for (double tick : up.ticks()) {
                    double y = y(up.place(tick));
                    svg.line(LEFT, y, WIDTH - RIGHT, y, "stroke", "#ddd");
                    svg.text(LEFT - 6.0, y + 4, Scale.text(tick), "text-anchor", "end");
                }
                svg.text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 16.0, horizontalLabel, "text-anchor", "middle");
                svg.upright(16, (TOP + HEIGHT - BOTTOM) / 2.0, verticalLabel);
            });
        }

        private void rule(Svg svg, double x, String colour) {
            svg.line(x, TOP, x, HEIGHT - BOTTOM, "stroke", colour);
        }

        /// @param number of the line, for its look
        /// @param points pairs of values
        public void line(int number, List<double[]> points) {
            Svg.Look look = Svg.Look.of(number);
            List<Svg.Point> places = points.stream()
                    .map(point -> new Svg.Point(x(point[0]), y(up.place(point[1]))))
                    .toList();
            parts.add(svg -> {
                svg.polyline(places, look.stroke());
                places.forEach(place -> svg.circle(place.x(), place.y(), 2.5, "fill", look.colour()));
            });
        }

        /// An upright line that says what happened there.
        public void mark(double at, String what) {
            parts.add(svg -> {
                rule(svg, x(at), "#222");
                svg.text(x(at) + 4, TOP + 12.0, what);
            });
        }

        /// An area from the bottom up.
        ///
        /// @param share of the full height
        public void area(double from, double to, double share) {
            double place = y(Math.clamp(share, 0, 1));
            parts.add(svg -> svg.rectangle(x(from), place, x(to) - x(from), y(0) - place, AREA));
        }
    }
}
