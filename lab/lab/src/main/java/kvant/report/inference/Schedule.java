package kvant.report.inference;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import kvant.load.compare.Student;

/// How many rounds a run was to have, and when it looked at what it had.
///
/// @param looks by the last round that was there, the share of the time that was spent; empty where nobody looks
public record Schedule(Design design, SortedMap<Integer, Double> looks) {

    /// A number of rounds that was fixed beforehand, and judged once.
    public static final Schedule FIXED = new Schedule(Design.FIXED, Collections.emptySortedMap());

    /// What ever more looks cost changes hardly any more.
    private static final int MANY_UNITS = 24;

    public Schedule {
        looks = Collections.unmodifiableSortedMap(new TreeMap<>(looks));
    }

    /// A run that looks after each block and would end with so many rounds.
    public static Schedule evenly(Design design, int rounds) {
        SortedMap<Integer, Double> looks = new TreeMap<>();
        for (int round = 2; round < rounds && design.looks(); round += 2) {
            looks.put(round, (double) round / rounds);
        }
        looks.put(rounds, 1.0);
        return new Schedule(design, looks);
    }

    /// The looks at one question: those before which it was to have another round. After its answer it gets no
    /// more, and looks at others are none at it.
    ///
    /// @param asked the rounds that it was to have, whatever became of them
    public Schedule of(Collection<Integer> asked) {
        SortedMap<Integer, Double> own = new TreeMap<>();
        int before = 0;
        for (Map.Entry<Integer, Double> look : looks.entrySet()) {
            int from = before;
            if (asked.stream().anyMatch(round -> round > from && round <= look.getKey())) {
                own.put(look.getKey(), look.getValue());
            }
            before = look.getKey();
        }
        return new Schedule(design, own);
    }

    /// Whether a round was there when the run last looked, if it looks at all.
    public boolean hasSeen(int round) {
        return !design.looks() || looks.isEmpty() || round <= looks.lastKey();
    }

    /// How many standard errors hold a mean with this confidence; NaN where there are too few units, or where
    /// nobody has looked at the last of them.
    ///
    /// @param judged so many of the units
    /// @param ends the last round of each unit
    double halfWidth(double confidence, int judged, int... ends) {
        return judged < design.leastUnits()
                ? Double.NaN
                : price(confidence, ends) * Student.halfWidth(confidence, judged - 1);
    }

    /// The same at the end of a run that is planned to have so many units.
    static double planned(Design design, double confidence, int units) {
        int[] ends = new int[Math.min(units, MANY_UNITS)];
        Arrays.setAll(ends, unit -> (unit + 1) * design.roundsOfUnit());
        return evenly(design, ends[ends.length - 1]).halfWidth(confidence, ends.length, ends)
                / Student.halfWidth(confidence, ends.length - 1)
                * Student.halfWidth(confidence, units - 1);
    }

    /// How much wider an interval is for the looks before it.
    private double price(double confidence, int[] ends) {
        return design.looks() ? ofLastLook(confidence, ends) / Student.halfWidth(confidence, ends.length - 1) : 1;
    }

    /// Where a round that was to come was left out or failed, the look is one at the same units with more of the error.
    private double ofLastLook(double confidence, int[] ends) {
        int[] values = new int[looks.size()];
        double[] spent = new double[looks.size()];
        int count = 0;
        for (Map.Entry<Integer, Double> look : looks.entrySet()) {
            int there = (int)
                    Arrays.stream(ends).filter(end -> end <= look.getKey()).count();
            if (there >= design.leastUnits()) {
                count += count == 0 || there > values[count - 1] ? 1 : 0;
                values[count - 1] = there;
                spent[count - 1] = look.getValue();
            }
        }
        boolean all = count > 0 && values[count - 1] == ends.length;
        return all
                ? GroupSequential.halfWidth(confidence, Arrays.copyOf(values, count), Arrays.copyOf(spent, count))
                : Double.NaN;
    }
}
