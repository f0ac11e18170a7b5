package kvant.report.truth;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import kvant.report.verdict.Estimate;
import kvant.report.verdict.Verdict;
import kvant.report.verdict.Verdict.Outcome;

/// What became of runs of real nodes with planted differences.
///
/// A node takes time of its own beside what is planted, at most a tenth of it: so the true difference lies
/// between nine tenths of the planted one and all of it, and an interval that has any of that in it holds
/// the truth.
///
/// Owned by one thread.
public final class PlantedRuns {

    private static final double LEAST_OF_PLANTED = 0.9;

    private record Kind(String law, double planted) {}

    /// Counts of runs of one kind; those that could not be judged are counted, and are no answer.
    private static final class Counts {
        private int runs;
        private int judged;
        private int found;
        private int wrong;
        private int same;
        private int covered;
    }

    private final Map<Kind, Counts> kinds = new LinkedHashMap<>();

    /// @param law in which way B is slower
    /// @param planted by how much, as a share
    public void add(String law, double planted, Verdict verdict) {
        Counts counts = kinds.computeIfAbsent(new Kind(law, planted), _ -> new Counts());
        counts.runs++;
        Estimate estimate = verdict.estimate();
        if (estimate == null || !estimate.isTold() || verdict.outcome() == Outcome.UNKNOWN) {
            return;
        }
        counts.judged++;
        boolean worse = verdict.outcome() == Outcome.WORSE;
        boolean better = verdict.outcome() == Outcome.BETTER || verdict.outcome() == Outcome.MIXED;
        counts.found += worse || better && planted == 0 ? 1 : 0;
        counts.wrong += better && planted > 0 ? 1 : 0;
        counts.same += verdict.outcome() == Outcome.SAME ? 1 : 0;
        counts.covered += estimate.low() <= planted && planted * LEAST_OF_PLANTED <= estimate.high() ? 1 : 0;
    }

    /// In Markdown, one line for each kind.
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("| law | planted | runs | judged | says different | wrong way | says the same | covers the truth |");
        lines.add("|---|---:|---:|---:|---:|---:|---:|---:|");
        kinds.forEach((kind, counts) -> lines.add(String.format(
                Locale.ROOT,
                "| %s | %.0f %% | %d | %d | %s | %s | %s | %s |",
                kind.law,
                100 * kind.planted,
                counts.runs,
                counts.judged,
                share(counts.found, counts.judged),
                share(counts.wrong, counts.judged),
                share(counts.same, counts.judged),
                share(counts.covered, counts.judged))));
        return lines;
    }

    private static String share(int count, int of) {
        return of == 0 ? "–" : String.format(Locale.ROOT, "%.0f %%", 100.0 * count / of);
    }
}
