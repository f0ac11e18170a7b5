package kvant.report.inference;

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

    /// Rounds per unit: both orders of the variants are in a block of two rounds, or in a single interleaved round.
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

    /// Number of blocks that settle the assessment of the host, in a run with an analysis after each block. With a
    /// third of them disturbed, the rest is exactly enough for the first interval.
    public int settlingBlocks() {
        return leastBlocks() * 3 / 2;
    }

    /// True if blocks are the units, otherwise rounds.
    boolean isJudgedByBlocks(int blocks) {
        return this == FIXED ? blocks >= LEAST_BLOCKS : this == SEQUENTIAL;
    }
}
