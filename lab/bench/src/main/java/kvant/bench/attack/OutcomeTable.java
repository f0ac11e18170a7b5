package kvant.bench.attack;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Origin;

/// A table of attack results, one per line.
final class OutcomeTable {

    private static final double MIB = 1 << 20;

    private static final String EXPLANATION = "Times of the good client, from when each request was due. Bounds: its"
            + " p99 during an attack is at most twice the usual one or 20 ms; nothing is refused or fails; all"
            + " newcomers are served; normal within 5 s; at most 10 lines logged; the end within 5 s of SIGTERM;"
            + " nothing acknowledged lost.\n";

    private static final String HEADINGS = "attack,p99 before ms,during,after,refused,failed,newcomers served,"
            + "slowest ms,normal after s,resident MiB,direct MiB,log lines,SIGTERM s,lost,bounds";

    private final MarkdownTable table;

    private OutcomeTable(PrintStream out) {
        table = new MarkdownTable(out, HEADINGS.split(","));
    }

    /// Prints the header.
    static OutcomeTable begin(PrintStream out, Origin origin) {
        origin.print(out);
        out.println(EXPLANATION);
        return new OutcomeTable(out);
    }

    /// The complete table.
    static String text(Origin origin, List<Outcome> outcomes) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        OutcomeTable table = begin(new PrintStream(text, true, StandardCharsets.UTF_8), origin);
        outcomes.forEach(table::row);
        return text.toString(StandardCharsets.UTF_8);
    }

    void row(Outcome outcome) {
        List<String> broken = Bounds.broken(outcome);
        table.row(
                "`" + outcome.attack().name() + "`",
                number("%.1f", outcome.beforeMillis()),
                number("%.1f", outcome.duringMillis()),
                number("%.1f", outcome.afterMillis()),
                outcome.refused(),
                outcome.failed(),
                outcome.served() + " of " + outcome.newcomers(),
                number("%.0f", outcome.slowestMillis()),
                Double.isNaN(outcome.normalSeconds()) ? "never" : number("%.1f", outcome.normalSeconds()),
                mib(outcome.residentBytes()),
                mib(outcome.directBytes()),
                outcome.logLines(),
                number("%.1f", outcome.stopSeconds()),
                outcome.lost() < 0 ? "-" : outcome.lost() + " of " + outcome.acknowledged(),
                broken.isEmpty() ? "hold" : "**" + String.join(", ", broken) + "**");
    }

    private static String mib(long bytes) {
        return bytes == 0 ? "-" : number("%.0f", bytes / MIB);
    }

    private static String number(String format, double value) {
        return MarkdownTable.number(format, value);
    }
}
