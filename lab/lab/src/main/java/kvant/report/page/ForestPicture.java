package kvant.report.page;

import java.util.List;
import java.util.Locale;
import kvant.load.output.Markup;
import kvant.report.page.Block.Row;
import kvant.report.words.Phrase;
import kvant.report.words.Value;
import kvant.report.words.Words;
import org.jspecify.annotations.Nullable;

/// A forest plot of all verdicts of a run: a line for each, a dot for the change and a bar for its interval, on a
/// common axis of ratios. It consists of HTML boxes, so that its text keeps its size on a phone.
final class ForestPicture {

    /// Possible marks of the axis, as factors.
    private static final double[] MARKS = {1.05, 1.1, 1.25, 1.5, 2, 3, 5, 10};

    /// Limits for the ratio at half the axis. A bar beyond the axis is cut off, and its row states how far it reaches.
    private static final double LEAST = Math.log(1.3);

    private static final double MOST = Math.log(12);

    private final StringBuilder html = new StringBuilder();
    private final Words words;
    private final double most;

    private ForestPicture(List<double[]> intervals, Words words) {
        this.words = words;
        double reach = 0;
        for (double[] interval : intervals) {
            for (double end : interval) {
                reach = Math.max(reach, 1.08 * Math.abs(end));
            }
        }
        this.most = Math.clamp(reach, LEAST, MOST);
    }

    static String html(Block.Forest forest, Words words) {
        ForestPicture picture =
                new ForestPicture(forest.rows().stream().map(Row::interval).toList(), words);
        picture.html.append("<div class=\"forest\">\n");
        @Nullable String asked = null;
        for (Row row : forest.rows()) {
            if (!row.target().equals(asked)) { // once for all of its rows
                picture.html.append("<p class=\"row-question\">").append(Markup.escaped(row.question()));
                picture.html.append("</p>\n");
                asked = row.target();
            }
            picture.row(row);
        }
        picture.axis(forest.axis());
        return picture.html.append("</div>").toString();
    }

    /// The change of one verdict with its interval, as a line of the forest plot with its own axis.
    ///
    /// @param interval logarithms of the ratio: low, middle, high
    static String html(double[] interval, Words words) {
        ForestPicture picture = new ForestPicture(List.of(interval), words);
        String label = words.say(Phrase.of("interval.label")
                .with("low", signed(interval[0], words))
                .with("high", signed(interval[2], words)));
        picture.html.append("<div class=\"track\" role=\"img\" aria-label=\"");
        picture.html.append(Markup.escaped(label)).append("\">");
        picture.track(interval);
        return picture.html.append("</div>").toString();
    }

    private void row(Row row) {
        html.append("<a class=\"row ").append(Markup.escaped(row.tone())).append("\" href=\"#q-");
        html.append(Markup.escaped(row.target())).append("\"><span class=\"row-label\">");
        html.append(Markup.escaped(row.label())).append("</span><span class=\"row-value\">");
        html.append(Markup.escaped(row.value())).append("</span><span class=\"track\">");
        box("margin", at(-row.margin()), at(row.margin()));
        track(row.interval());
        html.append("</span></a>\n");
    }

    private void track(double[] interval) {
        html.append("<i class=\"zero\"></i>");
        if (interval.length > 0) {
            box("range", at(interval[0]), at(interval[2]));
            html.append("<i class=\"dot\" style=\"left:")
                    .append(percent(at(interval[1])))
                    .append("\"></i>");
        }
    }

    private void box(String style, double from, double to) {
        html.append("<i class=\"").append(style).append("\" style=\"left:").append(percent(from));
        html.append(";width:").append(percent(Math.max(0.003, to - from))).append("\"></i>");
    }

    /// Draws the largest mark that fits, the one nearest to half of it, and their reciprocals.
    private void axis(String name) {
        int outer = 0;
        while (outer + 1 < MARKS.length && Math.log(MARKS[outer + 1]) <= most * 0.96) {
            outer++;
        }
        int inner = 0;
        while (inner + 1 < outer && Math.log(MARKS[inner + 1]) <= 0.55 * Math.log(MARKS[outer])) {
            inner++;
        }
        html.append("<div class=\"ticks\" aria-hidden=\"true\">");
        for (double log : new double[] {
            -Math.log(MARKS[outer]), -Math.log(MARKS[inner]), 0, Math.log(MARKS[inner]), Math.log(MARKS[outer])
        }) {
            html.append("<span style=\"left:").append(percent(at(log))).append("\">");
            html.append(Markup.escaped(log == 0 ? "0" : signed(log, words))).append("</span>");
        }
        html.append("</div>\n<p class=\"note\">").append(Markup.escaped(name)).append("</p>\n");
    }

    private double at(double log) {
        return 0.5 + 0.5 * Math.clamp(log / most, -1, 1);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f%%", 100 * share);
    }

    /// A change as text, such as `+12 %`, `−4 %`, `3x`, `more than 10x`.
    static String signed(double log, Words words) {
        double change = Math.expm1(log);
        Value.Change said = new Value.Change(change, Math.abs(change) >= 0.1 ? 0 : 1);
        return change >= 1 && !said.isOver()
                ? words.say(Phrase.of("value.factor").with("factor", Value.number(1 + change)))
                : words.say(said);
    }
}
