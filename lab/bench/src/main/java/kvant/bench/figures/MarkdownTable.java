package kvant.bench.figures;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// A table printed row by row as figures become available. Belongs to one thread.
public final class MarkdownTable {

    private final PrintStream out;

    public MarkdownTable(PrintStream out, String... headings) {
        this(out, List.of(headings));
    }

    public MarkdownTable(PrintStream out, List<String> headings) {
        this.out = out;
        line(headings);
        line(Collections.nCopies(headings.size(), "---"));
    }

    public void row(Object... cells) {
        line(Arrays.asList(cells));
    }

    private void line(List<?> cells) {
        out.println(cells.stream().map(Object::toString).collect(Collectors.joining(" | ", "| ", " |")));
        out.flush();
    }

    /// A number for a cell, or `-` if it is unknown.
    public static String number(String format, double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
    }
}
