package kvant.load.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import kvant.load.compare.Difference.Verdict;
import kvant.load.keys.SplitMix64;
import kvant.load.record.Percentiles;
import kvant.text.Units;
import kvant.text.UserException;

/// A comparison of two results: is B better than A, worse, or is there no detectable difference?
///
/// The confidence interval of each figure is that of the logarithm of the ratio: the bootstrap error, widened by
/// Student's t for the number of units. The confidence holds for all figures together (Bonferroni). Differences below
/// the tool's resolution count as none. If the whole interval is within the margin, a relevant difference is ruled out;
/// a wider interval states the largest difference it could hide, like the verdicts of a report.
///
/// @param confidence such as 0.95
/// @param warnings reasons why the sides may not be comparable
public record Comparison(
        Sample a,
        Sample b,
        double confidence,
        List<Difference> differences,
        FailureDifference failures,
        List<String> warnings) {

    /// Minimum number of units for an interval.
    static final int LEAST_UNITS = 5;

    /// Minimum number of runs as units, which are better units than stretches of one run.
    static final int LEAST_RUNS = Sample.RUNS_FOR_UNITS;

    /// Changes below this share are within the error of the tool.
    static final double RESOLUTION = 0.005;

    /// The smallest relevant difference, as a share.
    public static final double MARGIN = 0.1;

    /// From this ratio on, a factor is easier to read than a percentage.
    private static final double TIMES = 2;

    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99};
    private static final long SEED = 20;

    /// @throws UserException in one line, when the two are not comparable
    public static Comparison of(Sample a, Sample b, double confidence) {
        refuseUnlike(a, b);
        List<Difference> differences = new ArrayList<>();
        int figures = PERCENTILES.length + 3; // and the rate, the mean, failures
        double each = 1 - (1 - confidence) / figures;
        differences.add(rates(a, b, each));
        Bootstrap ofA = new Bootstrap(a.units());
        Bootstrap ofB = new Bootstrap(b.units());
        double[] wholeA = ofA.figures(PERCENTILES);
        double[] wholeB = ofB.figures(PERCENTILES);
        double[][] drawsA = ofA.draws(PERCENTILES, SplitMix64.of(SEED, 0));
        double[][] drawsB = ofB.draws(PERCENTILES, SplitMix64.of(SEED, 1));
        long least = Math.min(count(a), count(b));
        for (int i = 0; i <= PERCENTILES.length; i++) {
            boolean enough = i == 0 || Percentiles.isTold(PERCENTILES[i - 1], least);
            String name = i == 0 ? "mean" : "p" + Percentiles.name(PERCENTILES[i - 1]);
            double error = Math.hypot(error(drawsA, i, a), error(drawsB, i, b));
            differences.add(difference(name, wholeA[i], wholeB[i], error, a, b, each, enough, false));
        }
        FailureDifference failures = FailureDifference.of(a.failures(), b.failures(), each, needed(a, b));
        return new Comparison(a, b, confidence, differences, failures, warnings(a, b));
    }

    private static void refuseUnlike(Sample a, Sample b) {
        List<String> obstacles = new ArrayList<>(a.obstacles());
        obstacles.addAll(b.obstacles());
        a.conditions()
                .obstacles(b.conditions())
                .forEach(what -> obstacles.add("A and B were not asked the same, " + what));
        if (!obstacles.isEmpty()) {
            throw new UserException("cannot compare " + a.name() + " with " + b.name() + ": "
                    + obstacles.stream().distinct().collect(Collectors.joining("; ")));
        }
    }

    private static long count(Sample sample) {
        return sample.units().stream().mapToLong(unit -> unit.getTotalCount()).sum();
    }

    /// Standard error of the logarithm of a figure. The variance of draws from n units is too small by (n - 1) / n.
    private static double error(double[][] draws, int figure, Sample sample) {
        double[] logs = new double[draws.length];
        for (int i = 0; i < draws.length; i++) {
            logs[i] = Math.log(Math.max(1, draws[i][figure]));
        }
        int units = sample.units().size();
        return units < 2 ? 0 : Math.sqrt(variance(logs) * units / (units - 1));
    }

    private static double variance(double[] numbers) {
        double mean = mean(numbers);
        double squares = Arrays.stream(numbers)
                .map(number -> (number - mean) * (number - mean))
                .sum();
        return numbers.length < 2 ? 0 : squares / (numbers.length - 1);
    }

    private static double mean(double[] numbers) {
        return Arrays.stream(numbers).average().orElse(0);
    }

    private static Difference rates(Sample a, Sample b, double confidence) {
        double[] ofA = a.rates().stream().mapToDouble(Double::doubleValue).toArray();
        double[] ofB = b.rates().stream().mapToDouble(Double::doubleValue).toArray();
        double meanA = mean(ofA);
        double meanB = mean(ofB);
        double error = Math.hypot(
                Math.sqrt(variance(ofA) / Math.max(1, ofA.length)) / Math.max(1e-9, meanA),
                Math.sqrt(variance(ofB) / Math.max(1, ofB.length)) / Math.max(1e-9, meanB));
        return difference("requests/s", meanA, meanB, error, a, b, confidence, meanA > 0 && meanB > 0, true);
    }

    private static Difference difference(
            String name,
            double a,
            double b,
            double error,
            Sample sampleA,
            Sample sampleB,
            double confidence,
            boolean enough,
            boolean moreIsBetter) {
        double change = b / a - 1;
        int units = Math.min(sampleA.units().size(), sampleB.units().size());
        if (!enough || units < needed(sampleA, sampleB)) {
            return new Difference(name, a, b, change, Double.NaN, Double.NaN, Verdict.TOO_FEW);
        }
        double half = Student.halfWidth(confidence, units - 1) * error;
        double low = Math.exp(Math.log(b / a) - half) - 1;
        double high = Math.exp(Math.log(b / a) + half) - 1;
        return new Difference(name, a, b, change, low, high, verdict(low, high, moreIsBetter));
    }

    private static int needed(Sample a, Sample b) {
        return Math.min(a.runs(), b.runs()) >= LEAST_RUNS ? LEAST_RUNS : LEAST_UNITS;
    }

    private static Verdict verdict(double low, double high, boolean moreIsBetter) {
        if (low > RESOLUTION) {
            return moreIsBetter ? Verdict.BETTER : Verdict.WORSE;
        }
        if (high < -RESOLUTION) {
            return moreIsBetter ? Verdict.WORSE : Verdict.BETTER;
        }
        return Difference.hidden(low, high) < 1 + MARGIN ? Verdict.SAME : Verdict.UNDERPOWERED;
    }

    private static List<String> warnings(Sample a, Sample b) {
        List<String> warnings = new ArrayList<>(a.conditions().notes(b.conditions()));
        a.doubts().forEach(doubt -> warnings.add("A: " + doubt));
        b.doubts().forEach(doubt -> warnings.add("B: " + doubt));
        return warnings;
    }

    /// The verdict in one sentence.
    public String verdict() {
        boolean doubted = !a.doubts().isEmpty() || !b.doubts().isEmpty();
        boolean unlike = !a.conditions().notes(b.conditions()).isEmpty();
        return judgement()
                + (failures.isOpen() ? " " + openFailures() : "")
                + (unlike ? " A and B were not asked the same: see the notes." : "")
                + (doubted ? " Not every run is beyond doubt: see the notes." : "");
    }

    /// Failures that are unresolved: faster answers are no improvement if more of them may be refusals.
    private String openFailures() {
        String shares = Units.format(
                "Whether B fails more requests is open: %.4f %% of A and %.4f %% of B failed",
                100 * failures.a(), 100 * failures.b());
        return failures.verdict() == Verdict.TOO_FEW
                ? shares + ", too few stretches to tell."
                : shares
                        + Units.format(
                                ", and B may fail %.2f points fewer to %.2f more.",
                                -100 * failures.low(), 100 * failures.high());
    }

    private String judgement() {
        List<String> better = named(Verdict.BETTER);
        List<String> worse = named(Verdict.WORSE);
        if (failures.verdict() == Verdict.WORSE) {
            worse.addFirst("more requests failed");
        } else if (failures.verdict() == Verdict.BETTER) {
            better.addFirst("fewer requests failed");
        }
        if (better.isEmpty() && worse.isEmpty()) {
            return nothingFound();
        }
        String certain = Units.format(" (%.0f %% confidence)", 100 * confidence);
        if (worse.isEmpty()) {
            return "B is better: " + String.join(", ", better) + certain + ".";
        }
        if (better.isEmpty()) {
            return "B is worse: " + String.join(", ", worse) + certain + ".";
        }
        return "B is better in some and worse in other: better: " + String.join(", ", better) + "; worse: "
                + String.join(", ", worse) + certain + ".";
    }

    /// The differences that are ruled out, and those that could have gone undetected.
    private String nothingFound() {
        String same = figures(Verdict.SAME);
        String open = figures(Verdict.UNDERPOWERED);
        if (same.isEmpty() && open.isEmpty()) {
            return "Too little to compare: take longer runs, or more of them.";
        }
        List<String> said = new ArrayList<>();
        if (!same.isEmpty()) {
            said.add(Units.format("no difference of %.0f %% or more in %s", 100 * MARGIN, same));
        }
        if (!open.isEmpty()) {
            said.add("underpowered in " + open + ": a difference below " + mostHidden() + " could not be seen");
        }
        String all = String.join("; ", said);
        String certain = Units.format(" (%.0f %% confidence).", 100 * confidence);
        return Character.toUpperCase(all.charAt(0)) + all.substring(1) + certain;
    }

    private String figures(Verdict verdict) {
        return differences.stream()
                .filter(one -> one.verdict() == verdict)
                .map(Difference::figure)
                .collect(Collectors.joining(", "));
    }

    private String mostHidden() {
        double factor = differences.stream()
                .filter(one -> one.verdict() == Verdict.UNDERPOWERED)
                .mapToDouble(Difference::hidden)
                .max()
                .orElse(1);
        // Rounded up: differences below the printed figure are not ruled out.
        return factor < TIMES
                ? Units.format("%.0f %%", Math.ceil(100 * (factor - 1)))
                : Units.format("x%.1f", Math.ceil(10 * factor) / 10);
    }

    private List<String> named(Verdict verdict) {
        List<String> named = new ArrayList<>();
        for (Difference one : differences) {
            if (one.verdict() == verdict) {
                named.add(Units.format(
                        "%s %s by %.1f %% (%.1f to %.1f)",
                        one.figure(),
                        one.figure().equals("requests/s")
                                ? one.change() > 0 ? "higher" : "lower"
                                : one.change() > 0 ? "slower" : "faster",
                        100 * Math.abs(one.change()),
                        100 * Math.min(Math.abs(one.low()), Math.abs(one.high())),
                        100 * Math.max(Math.abs(one.low()), Math.abs(one.high()))));
            }
        }
        return named;
    }
}
