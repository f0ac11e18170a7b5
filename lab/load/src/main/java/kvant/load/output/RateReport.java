package kvant.load.output;

import java.io.PrintWriter;
import java.util.Locale;
import kvant.load.record.Percentiles;
import kvant.load.search.Objective;
import kvant.load.search.RateSearch;
import kvant.text.Json;
import kvant.text.Units;

/// The outcome of a rate search as a table, and as JSON; [Chart] draws it.
public final class RateReport {

    private RateReport() {}

    public static void print(PrintWriter out, RateSearch.Outcome outcome) {
        out.println(Units.format(
                "%n%12s %12s %12s %12s %14s %9s  %s",
                "target/s",
                "achieved/s",
                "p50",
                "p99",
                "p" + Percentiles.name(outcome.objective().percentile()),
                "errors",
                "objective"));
        for (RateSearch.Probe probe : outcome.probes()) {
            out.println(row(outcome.objective(), probe));
        }
        out.println();
        out.println(Units.format(
                "Highest rate that holds %s: %s (%s)",
                outcome.objective(),
                outcome.rate() == 0 ? "none" : Units.format("%.0f/s", outcome.rate()),
                outcome.limit()));
        if (!outcome.partial().isEmpty()) {
            out.println("PARTIAL: " + outcome.partial());
        }
        out.flush();
    }

    public static String row(Objective objective, RateSearch.Probe probe) {
        return Units.format(
                "%12.0f %12.0f %12s %12s %14s %8.3f%%  %s",
                probe.rate(),
                probe.achieved(),
                Percentiles.isShown(50, probe.requests()) ? Units.time(probe.p50Nanos()) : "-",
                Percentiles.isShown(99, probe.requests()) ? Units.time(probe.p99Nanos()) : "-",
                probe.objectiveNanos() == Objective.NEVER ? "never" : Units.time(probe.objectiveNanos()),
                100 * probe.errorShare(),
                reason(objective, probe));
    }

    private static String reason(Objective objective, RateSearch.Probe probe) {
        String percentile = "p" + Percentiles.name(objective.percentile());
        return switch (probe.finding()) {
            case HOLDS -> "holds";
            case TOO_SLOW -> "fails: " + percentile + " is above " + Units.time(objective.limitNanos());
            case TOO_MANY_FAILED -> "fails: more requests failed than " + percentile + " leaves out";
            case RATE_MISSED -> Units.format("fails: %.1f %% of the rate", 100 * probe.achieved() / probe.rate());
            case TOO_FEW -> "not judged: " + probe.requests() + " requests are too few for " + percentile;
            case GENERATOR_LATE -> "the generator was late: without that it is within the limit";
            case GENERATOR_TOO_SLOW -> "generator too slow: late by " + Units.time(probe.lagNanos()) + " at p99";
        };
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
                    .put("requests", probe.requests())
                    .put("p50Nanos", Percentiles.isShown(50, probe.requests()) ? probe.p50Nanos() : Double.NaN)
                    .put("p99Nanos", Percentiles.isShown(99, probe.requests()) ? probe.p99Nanos() : Double.NaN)
                    .put(
                            "objectiveNanos",
                            probe.objectiveNanos() == Objective.NEVER ? Double.NaN : probe.objectiveNanos())
                    .put("errorShare", probe.errorShare())
                    .put("sendLagP99Nanos", probe.lagNanos())
                    .put("finding", probe.finding().name().toLowerCase(Locale.ROOT))
                    .put("holds", probe.holds())
                    .put("generatorBound", probe.generatorBound())
                    .close();
        }
        json.closeList().close();
        return json.toString();
    }
}
