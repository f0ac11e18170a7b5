package kvant.report.page;

import kvant.load.output.Svg;
import kvant.report.words.Phrase;
import kvant.report.words.Value;
import kvant.report.words.Words;

/// A change with its interval as a picture: a dot on a bar, beside the line of no difference.
final class IntervalPicture {

    private static final int WIDTH = 320;
    private static final double MIDDLE = WIDTH / 2.0;
    private static final double REACH = 145;

    /// Half of the axis stands for at least this ratio, so that a hair's breadth does not look like a
    /// gulf.
    private static final double LEAST = Math.log(1.1);

    /// Half of the axis stands for at most this ratio: what lies beyond is cut off.
    private IntervalPicture() {}

    /// @param interval logarithms of the ratio: low, middle, high
    static String svg(double[] interval, Words words) {
        double most = Math.max(LEAST, 1.08 * Math.max(Math.abs(interval[0]), Math.abs(interval[2])));
        String label = words.say(Phrase.of("interval.label")
                .with("low", Value.text(signed(interval[0], words)))
                .with("high", Value.text(signed(interval[2], words))));
        double low = x(interval[0], most);
        double high = x(interval[2], most);
        Svg svg = Svg.inline(WIDTH, 34, "interval", label)
                .line(0, 12, WIDTH, 12, "class", "axis")
                .line(MIDDLE, 3, MIDDLE, 21, "class", "zero")
                .line(low, 12, high, 12, "class", "range")
                .circle(x(interval[1], most), 12, 5);
        text(svg, low, "start", signed(interval[0], words), high);
        text(svg, high, "end", signed(interval[2], words), low);
        return svg.toString();
    }

    private static double x(double log, double most) {
        return MIDDLE + REACH * log / most;
    }

    /// A label at an end of the range; away from the other end where both are near.
    private static void text(Svg svg, double x, String side, String text, double other) {
        boolean near = Math.abs(x - other) < 90;
        String anchor = side.equals("start") == near ? "end" : "start";
        double at = Math.clamp(x, anchor.equals("end") ? 46 : 0, anchor.equals("start") ? WIDTH - 46 : WIDTH);
        svg.text(at, 31, text, "text-anchor", anchor);
    }

    /// Such as `+12 %`, `−4 %`, `3x`, `more than 10x`.
    static String signed(double log, Words words) {
        double change = Math.expm1(log);
        Value.Change said = new Value.Change(change, Math.abs(change) >= 0.1 ? 0 : 1);
        return change >= 1 && !said.isOver()
                ? words.say(Phrase.of("value.factor").with("factor", Value.number(1 + change)))
                : words.say(said);
    }
}
