package kvant.bench.planted;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import kvant.load.compare.BinomialInterval;
import kvant.report.verdict.Estimate;
import kvant.report.verdict.Verdict;
import kvant.report.verdict.Verdict.Outcome;

/// Results of runs of real nodes with planted differences.
///
/// Owned by one thread.
public final class PlantedRuns {

    private static final double CONFIDENCE = 0.95;

    /// @param law in which way B is slower
    /// @param time that a request takes for it in A
    /// @param planted how much more it takes in B, as a share of that time
    public record Kind(String law, Duration time, double planted) {

        /// By how much the figure of B is larger, as a share.
        ///
        /// The node's own time is in the figures of both, and no share of it is planted. It is the mean of what
        /// A and B took beyond the time of the law. That of A alone would not do: an A that was disturbed would
        /// move the estimate and this the same way, and intervals would seem right more often than they are.
        double truth(Estimate estimate) {
            return planted / (1 + own(estimate));
        }

        /// The node's own time, as a share of the time of the law in A.
        double own(Estimate estimate) {
            double ofA = time.toNanos();
            double ofB = ofA * (1 + planted);
            return Math.max(0, (estimate.a() - ofA + estimate.b() - ofB) / 2) / ofA;
        }
    }

    /// Counts of runs of one kind; those that could not be judged are counted, and are no answer.
    private static final class Counts {
        private int runs;
        private int judged;
        private int found;
        private int wrong;
        private int same;
        private int covered;
        private double own; // the sum of all that were judged
    }

    private final Map<Kind, Counts> kinds = new LinkedHashMap<>();

    public void add(Kind kind, Verdict verdict) {
        Counts counts = kinds.computeIfAbsent(kind, _ -> new Counts());
        counts.runs++;
        Estimate estimate = verdict.estimate();
        if (estimate == null || !estimate.isTold() || verdict.outcome() == Outcome.UNKNOWN) {
            return;
        }
        counts.judged++;
        boolean mixed = verdict.outcome() == Outcome.MIXED; // by the figure it says different all the same
        boolean worse = verdict.outcome() == Outcome.WORSE || mixed && !verdict.failsMore();
        boolean better = verdict.outcome() == Outcome.BETTER || mixed && verdict.failsMore();
        counts.found += worse || better && kind.planted == 0 ? 1 : 0;
        counts.wrong += better && kind.planted > 0 ? 1 : 0;
        counts.same += verdict.outcome() == Outcome.SAME ? 1 : 0;
        counts.own += kind.own(estimate);
        double truth = kind.truth(estimate);
        counts.covered += estimate.low() <= truth && truth <= estimate.high() ? 1 : 0;
    }

    /// A table in Markdown with one line for each kind, and below it what all kinds together say of the
    /// verdicts. "Own time" is the mean of what a node takes by itself, as a share of the time of the law in A: how
    /// far the truth is measured, and not planted.
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("| law | planted | runs | judged | says different | wrong way | rules 10 % out"
                + " | covers the truth | own time |");
        lines.add("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
        kinds.forEach((kind, counts) -> lines.add(String.format(
                Locale.ROOT,
                "| %s | %.0f %% | %d | %d | %s | %s | %s | %s | %s |",
                kind.law,
                100 * kind.planted,
                counts.runs,
                counts.judged,
                share(counts.found, counts.judged),
                share(counts.wrong, counts.judged),
                share(counts.same, counts.judged),
                share(counts.covered, counts.judged),
                share(counts.own, counts.judged))));
        lines.add("");
        lines.addAll(totals());
        return lines;
    }

    private List<String> totals() {
        Counts all = new Counts();
        Counts equal = new Counts();
        kinds.forEach((kind, counts) -> {
            all.judged += counts.judged;
            all.covered += counts.covered;
            equal.judged += kind.planted == 0 ? counts.judged : 0;
            equal.found += kind.planted == 0 ? counts.found : 0;
        });
        return List.of(
                "A against A: says different " + total(equal.found, equal.judged),
                "Coverage: " + total(all.covered, all.judged));
    }

    private static String total(int count, int of) {
        if (of == 0) {
            return "– (no run could be judged)";
        }
        BinomialInterval interval = BinomialInterval.of(count, of, CONFIDENCE);
        return String.format(
                Locale.ROOT,
                "%d of %d, %.1f %% (%.0f %% confidence: %.1f %% to %.1f %%)",
                count,
                of,
                100.0 * count / of,
                100 * CONFIDENCE,
                100 * interval.low(),
                100 * interval.high());
    }

    private static String share(double count, int of) {
        return of == 0 ? "–" : String.format(Locale.ROOT, "%.0f %%", 100.0 * count / of);
    }
}
