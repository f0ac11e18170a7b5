package kvant.report.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import kvant.load.compare.BinomialInterval;
import kvant.load.compare.Student;
import kvant.report.folder.DecodedResult;
import kvant.report.inference.PairedUnits;
import kvant.report.inference.Schedule;
import kvant.report.inference.Schedule.Design;

/// The difference between the shares of failed requests of B and A, with its confidence interval.
///
/// Shares may be zero, so differences are judged, not ratios. Rounds are paired as elsewhere, and the interval is that
/// of the mean of their differences, see [PairedUnits] and [Schedule]. Rounds with very few failures agree by chance
/// and say little about their variation. The interval is therefore never narrower than the counts allow: the exact
/// intervals of both shares ([BinomialInterval]), each with half of the error.
///
/// In a run with an interim analysis after each block, the counts have half of the error at the first analysis, and
/// `1 / ((k + 1) (k + 2))` of it with `k` further units. These parts add up to at most the whole error, so that the
/// interval holds for all analyses simultaneously.
///
/// @param a failed share of all requests of A
/// @param low lower end of the interval of the difference B minus A, from -1 to 1; NaN with too few data
/// @param byCounts whether the interval is that of the counts, because it is wider than the variation of rounds
public record ShareDifference(
        double a, double b, double low, double high, int rounds, Estimate.Unit unit, boolean byCounts) {

    /// The counts of a round.
    ///
    /// @param repeat its number, from 1
    record Round(int repeat, long errorsA, long dueA, long errorsB, long dueB) {

        double difference() {
            return share(errorsB, dueB) - share(errorsA, dueA);
        }
    }

    static List<Round> rounds(PairedRounds measured) {
        int[] repeats = measured.repeats();
        List<Round> rounds = new ArrayList<>();
        for (int i = 0; i < repeats.length; i++) {
            DecodedResult a = Judge.load(measured.a().get(i));
            DecodedResult b = Judge.load(measured.b().get(i));
            rounds.add(new Round(repeats[i], a.errors(), a.due(), b.errors(), b.due()));
        }
        return rounds;
    }

    /// @param rounds in order
    static ShareDifference of(List<Round> rounds, Schedule schedule, double confidence) {
        Design design = schedule.design();
        long errorsA = sum(rounds, Round::errorsA);
        long dueA = sum(rounds, Round::dueA);
        long errorsB = sum(rounds, Round::errorsB);
        long dueB = sum(rounds, Round::dueB);
        double[] each = rounds.stream().mapToDouble(Round::difference).toArray();
        PairedUnits units = PairedUnits.ofDifferences(
                rounds.stream().mapToInt(Round::repeat).toArray(), each, design);
        boolean two = !design.looks() && rounds.size() == 2; // very uncertain: one degree of freedom
        double middle = two ? (each[0] + each[1]) / 2 : units.mean();
        double half = two
                ? Student.halfWidth(confidence, 1) * Math.abs(each[0] - each[1]) / 2
                : units.half(schedule, confidence); // identical units have no spread: the counts give the uncertainty
        double own = 1 - (1 - confidence) / looks(units, design) / 2;
        BinomialInterval ofA = counted(errorsA, dueA, own);
        BinomialInterval ofB = counted(errorsB, dueB, own);
        Estimate.Unit unit = units.rounds() == 1 ? Estimate.Unit.ROUND : Estimate.Unit.BLOCK;
        double low = ofB.low() - ofA.high();
        double high = ofB.high() - ofA.low();
        return new ShareDifference(
                share(errorsA, dueA),
                share(errorsB, dueB),
                Math.max(-1, Math.min(middle - half, low)),
                Math.min(1, Math.max(middle + half, high)),
                rounds.size(),
                two ? Estimate.Unit.STRETCH : unit,
                high - low >= 2 * half);
    }

    private static double looks(PairedUnits units, Design design) {
        double look = Math.max(1, units.values().length - design.leastUnits() + 1);
        return design.looks() ? look * (look + 1) : 1;
    }

    /// A repeated request may fail more often than it was due.
    private static BinomialInterval counted(long errors, long due, double confidence) {
        return BinomialInterval.of(Math.min(errors, due), Math.max(1, due), confidence);
    }

    private static double share(long errors, long due) {
        return (double) errors / Math.max(1, due);
    }

    private static long sum(List<Round> rounds, ToLongFunction<Round> figure) {
        return rounds.stream().mapToLong(figure).sum();
    }

    public double difference() {
        return b - a;
    }

    public boolean isTold() {
        return Double.isFinite(low) && Double.isFinite(high);
    }

    /// The sign of a significant difference: -1 if B fails less, 1 if it fails more, 0 if the interval includes zero.
    public int direction() {
        return low > 0 ? 1 : high < 0 ? -1 : 0;
    }

    /// The largest difference within the interval, in either direction.
    public double hidden() {
        return Math.max(Math.abs(low), Math.abs(high));
    }

    /// True if a relevant difference is ruled out.
    ///
    /// @param margin a share of all requests
    public boolean isWithin(double margin) {
        return isTold() && hidden() < margin;
    }
}
