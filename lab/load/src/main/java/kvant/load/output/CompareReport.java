package kvant.load.output;

import java.io.PrintWriter;
import java.util.Locale;
import kvant.load.compare.Comparison;
import kvant.load.compare.Difference;
import kvant.load.compare.FailureDifference;
import kvant.load.compare.Sample;
import kvant.text.Json;
import kvant.text.Units;

/// A comparison as readable text, and as JSON.
public final class CompareReport {

    private CompareReport() {}

    public static void print(PrintWriter out, TerminalColours colours, Comparison comparison) {
        line(out, "A: %s", side(comparison.a()));
        line(out, "B: %s", side(comparison.b()));
        comparison.warnings().forEach(warning -> out.println(colours.yellow("note: " + warning)));
        out.println();
        String interval = Units.format("%.0f%% interval", 100 * comparison.confidence());
        line(out, "%-11s %12s %12s %9s %21s  %s", "", "A", "B", "change", interval, "B");
        comparison.differences().forEach(one -> row(out, colours, one));
        failures(out, colours, comparison.failures());
        out.println();
        out.println(comparison.verdict());
        out.flush();
    }

    private static void row(PrintWriter out, TerminalColours colours, Difference one) {
        line(
                out,
                "%-11s %12s %12s %9s %21s  %s",
                one.figure(),
                value(one, one.a()),
                value(one, one.b()),
                Double.isFinite(one.change()) ? Units.format("%+.1f%%", 100 * one.change()) : "-",
                Double.isNaN(one.low()) ? "-" : Units.format("%+.1f%% to %+.1f%%", 100 * one.low(), 100 * one.high()),
                word(colours, one.verdict(), Units.format("%.0f %%", 100 * Comparison.MARGIN)));
    }

    /// In percentage points: a share that may be 0 has no relative change.
    private static void failures(PrintWriter out, TerminalColours colours, FailureDifference failures) {
        line(
                out,
                "%-11s %11.4f%% %11.4f%% %+9.4f %21s  %s",
                "errors",
                100 * failures.a(),
                100 * failures.b(),
                100 * (failures.b() - failures.a()),
                failures.verdict() == Difference.Verdict.TOO_FEW
                        ? "-"
                        : Units.format("%+.4f to %+.4f", 100 * failures.low(), 100 * failures.high()),
                word(colours, failures.verdict(), 100 * FailureDifference.MARGIN + " points"));
    }

    private static void line(PrintWriter out, String format, Object... arguments) {
        out.println(Units.format(format, arguments));
    }

    private static String side(Sample one) {
        String runs = one.runs() + (one.runs() == 1 ? " run" : " runs");
        return one.name() + ", " + runs + ", " + one.units().size() + " units to draw from";
    }

    private static String value(Difference one, double value) {
        return one.figure().equals("requests/s") ? Units.format("%.1f", value) : Units.time(value, value > 0 ? 1 : 0);
    }

    private static String word(TerminalColours colours, Difference.Verdict verdict, String margin) {
        return switch (verdict) {
            case BETTER -> colours.green("better");
            case WORSE -> colours.red("worse");
            case SAME -> "no difference of " + margin + " or more";
            case UNDERPOWERED -> colours.yellow("underpowered");
            case TOO_FEW -> "too few requests";
        };
    }

    public static String json(Comparison comparison) {
        Json json = new Json();
        json.open()
                .put("schema", "kvant-compare/2")
                .put("a", comparison.a().name())
                .put("b", comparison.b().name())
                .put("confidence", comparison.confidence())
                .put("verdict", comparison.verdict());
        FailureDifference failures = comparison.failures();
        json.open("failures")
                .put("aPercent", 100 * failures.a())
                .put("bPercent", 100 * failures.b())
                .put("lowPoints", 100 * failures.low())
                .put("highPoints", 100 * failures.high())
                .put("verdict", failures.verdict().name().toLowerCase(Locale.ROOT))
                .close();
        json.openList("warnings");
        comparison.warnings().forEach(json::add);
        json.closeList().openList("figures");
        for (Difference one : comparison.differences()) {
            json.open()
                    .put("figure", one.figure())
                    .put("a", one.a())
                    .put("b", one.b())
                    .put("changePercent", 100 * one.change())
                    .put("lowPercent", 100 * one.low())
                    .put("highPercent", 100 * one.high())
                    .put("couldHidePercent", 100 * (one.hidden() - 1))
                    .put("verdict", one.verdict().name().toLowerCase(Locale.ROOT))
                    .close();
        }
        json.closeList().close();
        return json.toString();
    }
}
