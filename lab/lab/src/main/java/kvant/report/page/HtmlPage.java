package kvant.report.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import kvant.load.output.Markup;
import kvant.report.page.Block.Cell;
import kvant.report.page.Block.Row;
import kvant.report.words.Phrase.Value;
import kvant.report.words.Words;
import kvant.text.Json;
import org.jspecify.annotations.Nullable;

/// The report as one self-contained HTML file, including styles and the script of the charts.
///
/// Names come from a file that may be forged. All text is escaped, and a content security policy lets the browser run
/// only our two scripts, identified by their hashes.
public final class HtmlPage {

    private static final String CHARTS = "uPlot.iife.min.js";
    private static final String PAGE = "page.js";

    /// A placeholder in the page's template: the name of a part, or the key of a message.
    private static final Pattern PLACE = Pattern.compile("\\{\\{([\\w.]+)}}");

    /// Length of text from which a column is wide, so that it does not become tall and narrow on a phone.
    private static final int LONG = 24;

    private final StringBuilder html = new StringBuilder();
    private final Content content;

    private HtmlPage(Content content) {
        this.content = content;
    }

    public static String of(Content content) {
        return new HtmlPage(content).html();
    }

    private String html() {
        int first = firstHeading();
        content.blocks().subList(0, first).forEach(this::block); // the first screen
        navigation();
        content.blocks().subList(first, content.blocks().size()).forEach(this::block);
        String charts = script(CHARTS);
        String page = script(PAGE);
        Map<String, String> places = new HashMap<>();
        places.put("language", content.words().language().tag());
        places.put("hashes", "'" + hash(charts) + "' '" + hash(page) + "'");
        places.put("title", Markup.escaped(content.title()));
        places.put("subtitle", Markup.escaped(content.subtitle()));
        places.put("style", resource("uPlot.min.css") + resource("page.css"));
        places.put("blocks", html.toString());
        places.put("words", data(words(content.words())));
        places.put("charts", charts);
        places.put("page", page);
        return PLACE.matcher(resource("page.html"))
                .replaceAll(place -> Matcher.quoteReplacement(places.computeIfAbsent(
                        place.group(1), key -> Markup.escaped(content.words().get(key)))));
    }

    /// Texts for the script of the page.
    private static String words(Words words) {
        Json json = new Json().open().put("language", words.language().tag());
        words.of("chart.").forEach((key, text) -> json.put(key.substring("chart.".length()), text));
        return json.close().toString();
    }

    private void line(String text) {
        html.append(text).append('\n');
    }

    /// HTML with values in place of `%s`, escaped.
    private static String filled(String html, Object... values) {
        return html.formatted(
                Stream.of(values).map(value -> Markup.escaped(value.toString())).toArray());
    }

    /// Writes an element that contains only text.
    ///
    /// @param tag with its attributes
    private void leaf(String tag, String text) {
        line("<" + tag + ">" + Markup.escaped(text) + "</" + tag.split(" ", 2)[0] + ">");
    }

    private int firstHeading() {
        int at = 0;
        while (at < content.blocks().size() && !(content.blocks().get(at) instanceof Block.Heading)) {
            at++;
        }
        return at;
    }

    private void navigation() {
        line("<nav aria-label=\"" + Markup.escaped(content.words().get("page.contents")) + "\">");
        for (Block block : content.blocks()) {
            if (block instanceof Block.Heading heading && heading.level() == 2) {
                leaf("a href=\"#" + Markup.escaped(heading.id()) + "\"", heading.text());
            }
        }
        line("</nav>");
    }

    private void block(Block block) {
        switch (block) {
            case Block.Forest forest -> {
                leaf("p class=\"answer\"", forest.sentence());
                line(ForestPicture.html(forest, content.words()));
            }
            case Block.Heading heading ->
                leaf("h" + heading.level() + " id=\"" + Markup.escaped(heading.id()) + "\"", heading.text());
            case Block.Text text -> leaf("p", text.text());
            case Block.Note note -> leaf("p class=\"note\"", note.text());
            case Block.Warning warning -> warning(warning);
            case Block.Code code ->
                line("<pre tabindex=\"0\"><code>" + Markup.escaped(String.join("\n", code.lines())) + "</code></pre>");
            case Block.Table table -> table(table);
            case Block.Question question -> question(question);
            case Block.Chart chart -> chart(chart);
            case Block.Bars bars -> bars(bars);
            case Block.Flames flames -> flames(flames);
            case Block.Folded folded -> {
                line("<details><summary>" + Markup.escaped(folded.summary()) + "</summary>");
                folded.blocks().forEach(this::block);
                line("</details>");
            }
        }
    }

    private void warning(Block.Warning warning) {
        line("<section class=\"warning\"><p><strong>" + Markup.escaped(warning.title()) + "</strong></p>");
        list("", warning.lines());
        line("</section>");
    }

    private void list(String style, List<String> lines) {
        if (!lines.isEmpty()) {
            line("<ul" + (style.isEmpty() ? "" : " class=\"" + style + "\"") + ">");
            lines.forEach(one -> leaf("li", one));
            line("</ul>");
        }
    }

    private void table(Block.Table table) {
        line("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\""
                + Markup.escaped(String.join(", ", table.head())) + "\"><table>");
        StringBuilder head = new StringBuilder("<thead><tr>");
        for (int i = 0; i < table.head().size(); i++) {
            boolean number = table.rows().getFirst().get(i).number();
            head.append("<th scope=\"col\"").append(number ? " class=\"number\">" : ">");
            head.append(Markup.escaped(table.head().get(i))).append("</th>");
        }
        line(head + "</tr></thead>");
        line("<tbody>");
        for (List<Cell> row : table.rows()) {
            StringBuilder text = new StringBuilder("<tr>");
            row.forEach(cell -> text.append(cell(cell)));
            line(text + "</tr>");
        }
        line("</tbody></table></div>");
    }

    private static String cell(Cell cell) {
        String text = cell.link().isEmpty()
                ? Markup.escaped(cell.text())
                : "<a href=\"" + link(cell.link()) + "\">" + Markup.escaped(cell.text()) + "</a>";
        String detail = cell.detail().isEmpty() ? "" : "<small>" + Markup.escaped(cell.detail()) + "</small>";
        String style = cell.number() ? "number" : cell.text().length() > LONG ? "long" : "";
        return (style.isEmpty() ? "<td>" : "<td class=\"" + style + "\">") + text + detail + "</td>";
    }

    private void question(Block.Question question) {
        line("<section class=\"question\" id=\"q-" + Markup.escaped(question.id()) + "\">");
        leaf("h3", question.text());
        for (Block.Card card : question.cards()) {
            line("<article class=\"verdict " + Markup.escaped(card.tone()) + "\">");
            line("<p class=\"headline\"><span class=\"badge\">" + Markup.escaped(card.badge()) + "</span> "
                    + Markup.escaped(card.headline()) + "</p>");
            if (card.interval().length > 0) {
                line(ForestPicture.html(card.interval(), content.words()));
            }
            list("caveats", card.caveats());
            list("details", card.details());
            Block.Bars tail = card.tail();
            if (tail != null) {
                bars(tail);
            }
            if (!card.links().isEmpty()) {
                links("p class=\"links\"", card.links());
            }
            line("</article>");
        }
        line("</section>");
    }

    /// @param tag of the enclosing paragraph
    private void links(String tag, List<Cell> links) {
        line("<" + tag + ">");
        links.forEach(cell -> leaf("a href=\"" + link(cell.link()) + "\"", cell.text()));
        line("</p>");
    }

    private void chart(Block.Chart chart) {
        line(filled("<figure class=\"chart\" data-kind=\"%s\" aria-label=\"%s\">", chart.kind(), chart.description()));
        line("<script type=\"application/json\">" + data(chart.json()) + "</script>");
        line("</figure>");
    }

    private void bars(Block.Bars bars) {
        if (!bars.title().isEmpty()) {
            leaf("p class=\"bars-title\"", bars.title());
        }
        line("<ul class=\"keys\">");
        for (Block.Key key : bars.keys()) {
            line(filled("<li><span class=\"swatch %s\"></span>%s</li>", key.colour(), key.name()));
        }
        line("</ul>");
        line("<div class=\"bars\">");
        for (Block.Bar bar : bars.bars()) {
            line(filled(
                    "<div class=\"bar-label\"><span>%s</span> <span class=\"bar-value\">%s</span></div>",
                    bar.label(), bar.value()));
            line("<div class=\"bar\" style=\"width:" + percent(Math.max(0.02, bar.share())) + "\">");
            for (Block.Part part : bar.parts()) {
                line(filled(
                        "<span class=\"%s\" style=\"width:%s\" title=\"%3$s\" role=\"img\" aria-label=\"%3$s\"></span>",
                        part.colour(), percent(part.share()), part.name() + ": " + part.value()));
            }
            line("</div>");
        }
        line("</div>");
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f%%", 100 * share);
    }

    private void flames(Block.Flames flames) {
        line("<div class=\"flames\">");
        if (!flames.button().isEmpty()) {
            leaf("button type=\"button\"", flames.button());
        }
        links("p", flames.links());
        line("</div>");
    }

    /// A relative path as a link; never a link to another site or to a script.
    static String link(String path) {
        StringBuilder link = new StringBuilder("./");
        for (byte one : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (one & 0xff);
            boolean plain = c < 128 && (Character.isLetterOrDigit(c) || "-._~/".indexOf(c) >= 0);
            link.append(plain ? String.valueOf(c) : String.format(Locale.ROOT, "%%%02X", (int) c));
        }
        return link.toString();
    }

    /// JSON within a page: tags in strings are escaped, because they could end the element.
    static String data(String json) {
        return json.replace("<", "\\u003c").replace("&", "\\u0026").replace("\u2028", "\\u2028");
    }

    private static String script(String name) {
        return "\n" + resource(name) + "\n";
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(HtmlPage.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String hash(String script) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK supports it
        }
    }

    /// A forest plot of all verdicts of a run: a line for each, a dot for the change and a bar for its
    /// interval, on a common axis of ratios. It consists of HTML boxes, so that its text keeps its size on a
    /// phone.
    static final class ForestPicture {

        /// Possible marks of the axis, as factors.
        private static final double[] MARKS = {1.05, 1.1, 1.25, 1.5, 2, 3, 5, 10};

        /// Limits for the ratio at half the axis. A bar beyond the axis is cut off, and its row states how far
        /// it reaches.
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
                    picture.html.append(filled("<p class=\"row-question\">%s</p>\n", row.question()));
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
            String label =
                    words.say("interval.label", "low", signed(interval[0], words), "high", signed(interval[2], words));
            picture.html.append(filled("<div class=\"track\" role=\"img\" aria-label=\"%s\">", label));
            picture.track(interval);
            return picture.html.append("</div>").toString();
        }

        private void row(Row row) {
            html.append(filled("<a class=\"row %s\" href=\"#q-%s\">", row.tone(), row.target()));
            html.append(filled("<span class=\"row-label\">%s</span>", row.label()));
            html.append(filled("<span class=\"row-value\">%s</span><span class=\"track\">", row.value()));
            box("margin", at(-row.margin()), at(row.margin()));
            track(row.interval());
            html.append("</span></a>\n");
        }

        private void track(double[] interval) {
            html.append("<i class=\"zero\"></i>");
            if (interval.length > 0) {
                box("range", at(interval[0]), at(interval[2]));
                html.append(filled("<i class=\"dot\" style=\"left:%s\"></i>", percent(at(interval[1]))));
            }
        }

        private void box(String style, double from, double to) {
            String width = percent(Math.max(0.003, to - from));
            html.append(filled("<i class=\"%s\" style=\"left:%s;width:%s\"></i>", style, percent(from), width));
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
                String mark = log == 0 ? "0" : signed(log, words);
                html.append(filled("<span style=\"left:%s\">%s</span>", percent(at(log)), mark));
            }
            html.append(filled("</div>\n<p class=\"note\">%s</p>\n", name));
        }

        private double at(double log) {
            return 0.5 + 0.5 * Math.clamp(log / most, -1, 1);
        }

        /// A change as text, such as `+12 %`, `−4 %`, `3x`, `more than 10x`.
        static String signed(double log, Words words) {
            double change = Math.expm1(log);
            Value.Change said = new Value.Change(change, Math.abs(change) >= 0.1 ? 0 : 1);
            return change >= 1 && !said.isOver()
                    ? words.say("value.factor", "factor", Value.number(1 + change))
                    : words.say(said);
        }
    }
}
