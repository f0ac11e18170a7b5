package kvant.load.output;

import java.io.PrintWriter;
import java.util.Locale;
import kvant.load.result.Percentiles;
import kvant.load.search.Objective;
import kvant.load.search.RateSearch;
import kvant.text.Json;
import kvant.text.Units;

/// The outcome of a search for a rate: a table, and JSON; [RateChart] is its picture.
public final class RateReport {

    private RateReport() {}

    public static void print(PrintWriter out, RateSearch.Outcome outcome) {
        out.println(String.format(
                Locale.ROOT,
                "%n%12s %12s %12s %12s %14s %9s  %s",
                "target/s",
                "achieved/s",
                "p50",
                "p99",
                "p" + Percentiles.name(outcome.objective().percentile()),
                "errors",
                "objective"));
        for (RateSearch.Probe probe : outcome.probes()) {
            out.println(row(probe));
        }
        out.println();
        out.println(String.format(
                Locale.ROOT,
                "Highest rate that holds %s: %s (%s)",
                outcome.objective(),
                outcome.rate() == 0 ? "none" : String.format(Locale.ROOT, "%.0f/s", outcome.rate()),
                outcome.limit()));
        if (!outcome.partial().isEmpty()) {
            out.println("PARTIAL: " + outcome.partial());
        }
        out.flush();
    }

    public static String row(RateSearch.Probe probe) {
        return String.format(
                Locale.ROOT,
                "%12.0f %12.0f %12s %12s %14s %8.3f%%  %s",
                probe.rate(),
                probe.achieved(),
                Units.time(probe.p50Nanos()),
                Units.time(probe.p99Nanos()),
                probe.objectiveNanos() == Objective.NEVER ? "never" : Units.time(probe.objectiveNanos()),
                100 * probe.errorShare(),
                probe.holds() ? "holds" : probe.generatorBound() ? "generator too slow" : "fails");
    }

    public static String json(RateSearch.Outcome outcome) {
        Json json = new Json();
        json.open()
                .put("schema", "kvant-find-rate/1")
                .put("percentile", outcome.objective().percentile())
                .put("limitNanos", outcome.objective().limitNanos())
                .put("rate", outcome.rate())
                .put("limit", outcome.limit())
                .put("complete", outcome.partial().isEmpty())
                .put("partial", outcome.partial());
        json.openList("probes");
        for (RateSearch.Probe probe : outcome.probes()) {
            json.open()
                    .put("rate", probe.rate())
                    .put("achieved", probe.achieved())
                    .put("p50Nanos", probe.p50Nanos())
                    .put("p99Nanos", probe.p99Nanos())
                    .put(
                            "objectiveNanos",
                            probe.objectiveNanos() == Objective.NEVER ? Double.NaN : probe.objectiveNanos())
                    .put("errorShare", probe.errorShare())
                    .put("holds", probe.holds())
                    .put("generatorBound", probe.generatorBound())
                    .close();
        }
        json.closeList().close();
        return json.toString();
    }
}
