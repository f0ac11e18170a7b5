package kvant.report.page;

import java.util.List;
import java.util.stream.Collectors;
import kvant.report.page.Block.Cell;

/// The report as Markdown: the same texts and tables; charts are only in the HTML page.
public final class MarkdownPage {

    private final StringBuilder text = new StringBuilder();
    private final Content content;

    private MarkdownPage(Content content) {
        this.content = content;
    }

    public static String of(Content content) {
        MarkdownPage page = new MarkdownPage(content);
        page.paragraph("# " + escaped(content.title()));
        page.paragraph(escaped(content.subtitle()));
        content.blocks().forEach(page::block);
        return page.text.toString().stripTrailing() + "\n";
    }

    private void paragraph(String line) {
        text.append(line).append("\n\n");
    }

    private void block(Block block) {
        switch (block) {
            case Block.Forest forest -> {
                paragraph("**" + escaped(forest.sentence()) + "**");
                list(forest.rows().stream().map(Block.Row::line).toList());
            }
            case Block.Heading heading -> paragraph("#".repeat(heading.level()) + " " + escaped(heading.text()));
            case Block.Text one -> paragraph(escaped(one.text()));
            case Block.Note note -> paragraph(escaped(note.text()));
            case Block.Warning warning -> {
                paragraph("**" + escaped(warning.title()) + "**");
                list(warning.lines());
            }
            case Block.Code code ->
                paragraph(code.lines().stream()
                        .flatMap(String::lines)
                        .map(line -> "    " + line)
                        .collect(Collectors.joining("\n")));
            case Block.Table table -> table(table);
            case Block.Question question -> question(question);
            case Block.Chart chart ->
                paragraph("*" + escaped(chart.description()) + " "
                        + content.words().get("markdown.chart") + "*");
            case Block.Bars bars -> bars(bars);
            case Block.Flames flames ->
                paragraph(flames.links().stream().map(MarkdownPage::cell).collect(Collectors.joining(" · ")));
            case Block.Folded folded -> {
                paragraph("**" + escaped(folded.summary()) + "**");
                folded.blocks().forEach(this::block);
            }
        }
    }

    private void question(Block.Question question) {
        paragraph("### " + escaped(question.text()));
        for (Block.Card card : question.cards()) {
            paragraph("**" + escaped(card.badge()) + ".** " + escaped(card.headline()));
            list(card.caveats().stream().map(one -> "⚠ " + one).toList());
            list(card.details());
            Block.Bars tail = card.tail();
            if (tail != null) {
                bars(tail);
            }
            if (!card.links().isEmpty()) {
                paragraph(card.links().stream().map(MarkdownPage::cell).collect(Collectors.joining(" · ")));
            }
        }
    }

    private void bars(Block.Bars bars) {
        if (!bars.title().isEmpty()) {
            paragraph(escaped(bars.title()));
        }
        list(bars.bars().stream().map(bar -> bar.label() + ": " + bar.value()).toList());
    }

    private void list(List<String> lines) {
        if (!lines.isEmpty()) {
            paragraph(lines.stream().map(line -> "- " + escaped(line)).collect(Collectors.joining("\n")));
        }
    }

    private void table(Block.Table table) {
        row(table.head().stream().map(MarkdownPage::escaped).toList());
        row(table.rows().getFirst().stream()
                .map(cell -> cell.number() ? "---:" : "---")
                .toList());
        table.rows().forEach(row -> row(row.stream().map(MarkdownPage::cell).toList()));
        text.append('\n');
    }

    private void row(List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    private static String cell(Cell cell) {
        String words = escaped(cell.detail().isEmpty() ? cell.text() : cell.text() + " (" + cell.detail() + ")");
        return cell.link().isEmpty() ? words : "[" + words + "](" + HtmlPage.link(cell.link()) + ")";
    }

    /// Escapes Markdown characters, and replaces line breaks.
    static String escaped(String text) {
        return text.replaceAll("[\\r\\n\\t]+", " ").replaceAll("([\\\\`*_\\[\\]<>|~&])", "\\\\$1");
    }
}
