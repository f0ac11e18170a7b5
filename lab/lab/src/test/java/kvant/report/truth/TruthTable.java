package kvant.report.truth;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import kvant.report.truth.PlantedDifferences.Row;

/// The table of docs/report.md.
public final class TruthTable {

    private TruthTable() {}

    /// In Markdown, one line for each row.
    public static List<String> lines(List<Row> rows) {
        List<String> lines = new ArrayList<>();
        lines.add("| run | machine | planted | says different | rules 10 % out | covers the truth | rounds |");
        lines.add("|---|---|---:|---:|---:|---:|---:|");
        rows.stream().map(TruthTable::line).forEach(lines::add);
        return lines;
    }

    private static String line(Row row) {
        String run = switch (row.design()) {
            case FIXED -> PlantedDifferences.FIXED_ROUNDS + " rounds";
            case SEQUENTIAL -> "until decided, at most " + PlantedDifferences.MOST_ROUNDS;
            case INTERLEAVED -> "the same, interleaved";
        };
        return String.format(
                Locale.ROOT,
                "| %s | %s | %.0f %% | %s | %s | %s | %.0f |",
                run,
                row.noise().name().toLowerCase(Locale.ROOT),
                100 * row.planted(),
                percent(row, row.found()),
                percent(row, row.same()),
                percent(row, row.covered()),
                row.rounds());
    }

    private static String percent(Row row, int count) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * row.share(count));
    }
}
