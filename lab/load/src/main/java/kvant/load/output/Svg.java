package kvant.load.output;

import java.util.List;
import java.util.stream.Collectors;
import kvant.text.Units;

/// Writes a picture as SVG 1.1, in the order of the calls: later elements are drawn on top. Text and attribute values
/// are escaped, because names come from files and command lines. A coordinate has one decimal; one that is not finite
/// is written as 0, so that an unknown figure does not invalidate the picture.
///
///     Svg.file(900, 480, "Latency", 13).line(0, 0, 10, 10, "stroke", "#ddd").text(5, 5, "p99").toString()
///
/// Attributes are alternating names and values. Belongs to one thread.
public final class Svg {

    /// A vertex of a line.
    public record Point(double x, double y) {}

    /// The style of a curve: a colour that is distinguishable with colour blindness (Okabe and Ito), and a dash pattern
    /// that distinguishes it in print.
    public record Look(String colour, String dashes) {

        private static final List<Look> ALL = List.of(
                new Look("#0072B2", "none"),
                new Look("#D55E00", "8 4"),
                new Look("#009E73", "2 3"),
                new Look("#CC79A7", "10 3 2 3"),
                new Look("#E69F00", "4 4"),
                new Look("#56B4E9", "14 4"));

        /// The style of a curve by its number, from 0; styles repeat after the last.
        public static Look of(int number) {
            return ALL.get(number % ALL.size());
        }

        /// As attributes.
        public String[] stroke() {
            return new String[] {"stroke", colour, "stroke-width", "2", "stroke-dasharray", dashes};
        }
    }

    private final StringBuilder text = new StringBuilder();

    private Svg() {}

    /// A stand-alone picture on white.
    ///
    /// @param title alternative text
    /// @param fontSize in pixels
    public static Svg file(int width, int height, String title, int fontSize) {
        Svg svg = new Svg();
        svg.start("svg", "xmlns", "http://www.w3.org/2000/svg", "viewBox", "0 0 " + width + " " + height);
        svg.attributes("width", number(width), "height", number(height), "role", "img", "fill", "#222");
        svg.attributes("font-family", "system-ui, sans-serif", "font-size", number(fontSize));
        svg.text.append(">\n<title>").append(Markup.escaped(title)).append("</title>\n");
        return svg.start("rect", "width", number(width), "height", number(height), "fill", "#fff")
                .end();
    }

    public Svg line(double x1, double y1, double x2, double y2, String... attributes) {
        return start("line", "x1", number(x1), "y1", number(y1), "x2", number(x2), "y2", number(y2))
                .attributes(attributes)
                .end();
    }

    public Svg circle(double x, double y, double radius, String... attributes) {
        return start("circle", "cx", number(x), "cy", number(y), "r", number(radius))
                .attributes(attributes)
                .end();
    }

    /// Straight lines from point to point.
    public Svg polyline(List<Point> points, String... attributes) {
        String places = points.stream()
                .map(point -> number(point.x()) + "," + number(point.y()))
                .collect(Collectors.joining(" "));
        return start("polyline", "fill", "none", "points", places)
                .attributes(attributes)
                .end();
    }

    public Svg text(double x, double y, String content, String... attributes) {
        start("text", "x", number(x), "y", number(y)).attributes(attributes);
        text.append('>').append(Markup.escaped(content)).append("</text>\n");
        return this;
    }

    /// Text rotated to be read from bottom to top, centred at the point.
    public Svg upright(double x, double y, String content) {
        String turn = "rotate(-90 " + number(x) + " " + number(y) + ")";
        return text(x, y, content, "text-anchor", "middle", "transform", turn);
    }

    /// The whole picture.
    @Override
    public String toString() {
        return text + "</svg>\n";
    }

    private static String number(double value) {
        if (!Double.isFinite(value)) {
            return "0";
        }
        String written = Units.format("%.1f", value);
        return written.endsWith(".0") ? written.substring(0, written.length() - 2) : written;
    }

    private Svg start(String element, String... namesAndValues) {
        text.append('<').append(element);
        return attributes(namesAndValues);
    }

    private Svg attributes(String... namesAndValues) {
        for (int i = 0; i < namesAndValues.length; i += 2) {
            text.append(' ').append(namesAndValues[i]).append("=\"");
            text.append(Markup.escaped(namesAndValues[i + 1])).append('"');
        }
        return this;
    }

    private Svg end() {
        text.append("/>\n");
        return this;
    }
}
