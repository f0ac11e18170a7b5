package kvant.report.inference;

import kvant.load.compare.Student;

/// How many rounds were to be run.
public enum Design {
    /// A number that was fixed beforehand.
    FIXED,
    /// Until the answer was there: the interval must hold whenever the run stops.
    SEQUENTIAL;

    /// From so many units on there is an interval.
    public int leastUnits() {
        return this == FIXED ? 3 : 4;
    }

    /// From so many blocks on, blocks are the units; below that, rounds.
    int leastBlocks() {
        return this == FIXED ? 8 : 0;
    }

    /// How many standard errors hold a mean with this confidence; NaN where there are too few units.
    double halfWidth(double confidence, int units) {
        if (units < leastUnits()) {
            return Double.NaN;
        }
        return this == FIXED
                ? Student.halfWidth(confidence, units - 1)
                : ConfidenceSequence.halfWidth(confidence, units);
    }
}
