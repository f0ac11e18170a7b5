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
import kvant.load.output.Markup;
import kvant.report.page.Block.Cell;
import kvant.report.words.Words;
import kvant.text.Json;

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
        line("<figure class=\"chart\" data-kind=\"" + Markup.escaped(chart.kind()) + "\" aria-label=\""
                + Markup.escaped(chart.description()) + "\">");
        line("<script type=\"application/json\">" + data(chart.json()) + "</script>");
        line("</figure>");
    }

    private void bars(Block.Bars bars) {
        if (!bars.title().isEmpty()) {
            leaf("p class=\"bars-title\"", bars.title());
        }
        line("<ul class=\"keys\">");
        bars.keys()
                .forEach(key -> line("<li><span class=\"swatch " + Markup.escaped(key.colour()) + "\"></span>"
                        + Markup.escaped(key.name()) + "</li>"));
        line("</ul>");
        line("<div class=\"bars\">");
        for (Block.Bar bar : bars.bars()) {
            line("<div class=\"bar-label\"><span>" + Markup.escaped(bar.label()) + "</span> <span class=\"bar-value\">"
                    + Markup.escaped(bar.value()) + "</span></div>");
            line("<div class=\"bar\" style=\"width:" + percent(Math.max(0.02, bar.share())) + "\">");
            for (Block.Part part : bar.parts()) {
                String name = Markup.escaped(part.name() + ": " + part.value());
                line("<span class=\"" + Markup.escaped(part.colour()) + "\" style=\"width:" + percent(part.share())
                        + "\" title=\"" + name + "\" role=\"img\" aria-label=\"" + name + "\"></span>");
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
}
