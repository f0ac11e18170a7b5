package kvant.lab.study.page;

import java.util.Locale;
import kvant.lab.study.words.Phrase;
import kvant.lab.study.words.Value;
import kvant.lab.study.words.Words;

/// A change with its interval as a picture: a dot on a bar, beside the line of no difference.
final class IntervalPicture {

    private static final double WIDTH = 320;
    private static final double MIDDLE = WIDTH / 2;
    private static final double REACH = 145;

    /// Half of the axis stands for at least this ratio, so that a hair's breadth does not look like a
    /// gulf.
    private static final double LEAST = Math.log(1.1);

    private IntervalPicture() {}

    /// @param interval logarithms of the ratio: low, middle, high
    static String svg(double[] interval, Words words) {
        double most = Math.max(LEAST, 1.08 * Math.max(Math.abs(interval[0]), Math.abs(interval[2])));
        String label = HtmlPage.escaped(words.say(Phrase.of("interval.label")
                .with("low", Value.text(signed(interval[0], words)))
                .with("high", Value.text(signed(interval[2], words)))));
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg class=\"interval\" viewBox=\"0 0 %.0f 34\" role=\"img\" aria-label=\"%s\"><title>%s</title>",
                WIDTH,
                label,
                label));
        line(svg, "axis", 0, WIDTH, 12, 12);
        line(svg, "zero", MIDDLE, MIDDLE, 3, 21);
        line(svg, "range", x(interval[0], most), x(interval[2], most), 12, 12);
        svg.append(String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"12\" r=\"5\"/>", x(interval[1], most)));
        text(svg, x(interval[0], most), "start", signed(interval[0], words), x(interval[2], most));
        text(svg, x(interval[2], most), "end", signed(interval[2], words), x(interval[0], most));
        return svg.append("</svg>").toString();
    }

    private static double x(double log, double most) {
        return MIDDLE + REACH * log / most;
    }

    private static void line(StringBuilder svg, String style, double x1, double x2, double y1, double y2) {
        svg.append(String.format(
                Locale.ROOT,
                "<line class=\"%s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>",
                style,
                x1,
                x2,
                y1,
                y2));
    }

    /// A label at an end of the range; away from the other end where both are near.
    private static void text(StringBuilder svg, double x, String side, String text, double other) {
        boolean near = Math.abs(x - other) < 90;
        String anchor = side.equals("start") == near ? "end" : "start";
        double at = Math.clamp(x, anchor.equals("end") ? 46 : 0, anchor.equals("start") ? WIDTH - 46 : WIDTH);
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"31\" text-anchor=\"%s\">%s</text>",
                at,
                anchor,
                HtmlPage.escaped(text)));
    }

    private static String signed(double log, Words words) {
        double change = Math.expm1(log);
        if (change >= 1) {
            return "×" + words.numbers().number(1 + change);
        }
        return (change > 0 ? "+" : "") + words.numbers().percent(change, Math.abs(change) >= 0.1 ? 0 : 1);
    }
}
