package kvant.report.inference;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import kvant.load.compare.Student;

/// The design of a run's rounds, and its interim analyses.
///
/// @param looks share of the time spent at each analysis, by the last round included; empty without analyses
public record Schedule(Design design, SortedMap<Integer, Double> looks) {

    /// A number of rounds fixed in advance, and judged once.
    public static final Schedule FIXED = new Schedule(Design.FIXED, Collections.emptySortedMap());

    /// Number of units from which the cost of further analyses is almost constant.
    private static final int MANY_UNITS = 24;

    public Schedule {
        looks = Collections.unmodifiableSortedMap(new TreeMap<>(looks));
    }

    /// A run with an analysis after each block, planned to end with this number of rounds.
    public static Schedule evenly(Design design, int rounds) {
        SortedMap<Integer, Double> looks = new TreeMap<>();
        for (int round = 2; round < rounds && design.looks(); round += 2) {
            looks.put(round, (double) round / rounds);
        }
        looks.put(rounds, 1.0);
        return new Schedule(design, looks);
    }

    /// The analyses of one question: those for which it had received another round. An answered question gets no more
    /// rounds, and analyses for others do not count for it.
    ///
    /// @param asked rounds planned for it, whatever their outcome
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

    /// True if a round was included in the last analysis, or if there are no analyses.
    public boolean hasSeen(int round) {
        return !design.looks() || looks.isEmpty() || round <= looks.lastKey();
    }

    /// Half-width of a confidence interval in standard errors; NaN with too few units, or if the last of them has not
    /// been analysed.
    ///
    /// @param judged number of judged units
    /// @param ends last round of each unit
    double halfWidth(double confidence, int judged, int... ends) {
        return judged < design.leastUnits()
                ? Double.NaN
                : Student.halfWidth(confidence, judged - 1)
                        * (design.looks() // wider because of earlier analyses
                                ? ofLastLook(confidence, ends) / Student.halfWidth(confidence, ends.length - 1)
                                : 1);
    }

    /// The same at the end of a run planned with this number of units.
    static double planned(Design design, double confidence, int units) {
        int[] ends = new int[Math.min(units, MANY_UNITS)];
        Arrays.setAll(ends, unit -> (unit + 1) * design.roundsOfUnit());
        return evenly(design, ends[ends.length - 1]).halfWidth(confidence, ends.length, ends)
                / Student.halfWidth(confidence, ends.length - 1)
                * Student.halfWidth(confidence, units - 1);
    }

    /// If a planned round was excluded or failed, the next analysis has the same units, but more of the error.
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

    /// The rule for the number of rounds.
    public enum Design {
        /// A number fixed in advance.
        FIXED,
        /// Until decided: the intervals of all interim analyses must hold simultaneously ([Schedule]).
        SEQUENTIAL,
        /// The same with interleaved rounds, in each of which the variants take turns in both orders.
        INTERLEAVED;

        /// Minimum number of blocks as units, for a fixed number of rounds.
        private static final int LEAST_BLOCKS = 8;

        /// True if the run has interim analyses that decide whether it continues.
        public boolean looks() {
            return this != FIXED;
        }

        /// Minimum number of units for an interval.
        public int leastUnits() {
            return this == FIXED ? 3 : 4;
        }

        /// Rounds per unit: both orders of the variants are in a block of two rounds, or in a single
        /// interleaved round.
        public int roundsOfUnit() {
            return this == SEQUENTIAL ? 2 : 1;
        }

        /// Minimum number of rounds for an interval.
        public int leastRounds() {
            return leastUnits() * roundsOfUnit();
        }

        /// The same in blocks, by which a run is extended.
        public int leastBlocks() {
            return PairedUnits.block(leastRounds());
        }

        /// Number of blocks that settle the assessment of the host, in a run with an analysis after each block.
        /// With a third of them disturbed, the rest is exactly enough for the first interval.
        public int settlingBlocks() {
            return leastBlocks() * 3 / 2;
        }

        /// True if blocks are the units, otherwise rounds.
        boolean isJudgedByBlocks(int blocks) {
            return this == FIXED ? blocks >= LEAST_BLOCKS : this == SEQUENTIAL;
        }
    }

    /// Probability of detecting an existing difference; or, if there is none, of an interval within the
    /// margin.
    public static final double POWER = 0.8;

    /// The quantile of [#POWER] of the normal distribution.
    private static final double QUANTILE = 0.8416;

    /// Upper bound for reported numbers.
    public static final int MOST_UNITS = 100_000;

    /// The smallest number of units at which half the interval, plus the chance variation of the mean, is
    /// at most the difference.
    ///
    /// @param spread standard deviation of a unit
    /// @param difference a logarithm
    /// @return [#MOST_UNITS] if that many or more are needed
    public static int unitsNeeded(Design design, double confidence, double spread, double difference) {
        int high = design.leastUnits();
        while (high < MOST_UNITS && !suffices(design, confidence, spread, difference, high)) {
            high *= 2;
        }
        int low = high / 2;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (middle >= design.leastUnits() && suffices(design, confidence, spread, difference, middle)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return Math.min(MOST_UNITS, high);
    }

    private static boolean suffices(Design design, double confidence, double spread, double difference, int units) {
        double errors = Schedule.planned(design, confidence, units) + QUANTILE;
        return errors * spread / Math.sqrt(units) <= difference;
    }
}
