package kvant.text;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Columns that stand beneath one another. Belongs to one thread.
public final class TextTable {

    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();
    private final boolean[] right;

    /// @param headings of the columns; one that begins with `>` has its cells at the right
    public TextTable(String... headings) {
        right = new boolean[headings.length];
        List<String> row = new ArrayList<>();
        for (int i = 0; i < headings.length; i++) {
            right[i] = headings[i].startsWith(">");
            row.add(right[i] ? headings[i].substring(1) : headings[i]);
        }
        rows.add(row);
    }

    public void add(String... cells) {
        rows.add(List.of(cells));
    }

    public boolean isEmpty() {
        return rows.size() == 1;
    }

    public List<String> lines() {
        List<Integer> widths = new ArrayList<>(Collections.nCopies(right.length, 0));
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths.set(i, Math.max(widths.get(i), row.get(i).length()));
            }
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private String line(List<String> row, List<Integer> widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
            String space = " ".repeat(widths.get(i) - row.get(i).length());
            line.append(right[i] ? space + row.get(i) : row.get(i) + space).append(GAP);
        }
        return line.toString().stripTrailing();
    }
}
