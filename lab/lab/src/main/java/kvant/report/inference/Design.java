package kvant.report.inference;

/// How many rounds were to be run.
public enum Design {
    /// A number that was fixed beforehand.
    FIXED,
    /// Until the answer was there: the intervals of all looks must hold together ([Schedule]).
    SEQUENTIAL,
    /// The same of interleaved rounds, in each of which the variants take turns in both orders.
    INTERLEAVED;

    /// Of a fixed number of rounds.
    private static final int LEAST_BLOCKS = 8;

    /// Whether the run looks at its answer to know if it goes on.
    public boolean looks() {
        return this != FIXED;
    }

    /// From so many units on there is an interval.
    public int leastUnits() {
        return this == FIXED ? 3 : 4;
    }

    /// Of those units: a block of two rounds has both orders of the variants, an interleaved round has them itself.
    public int roundsOfUnit() {
        return this == SEQUENTIAL ? 2 : 1;
    }

    /// From so many rounds on there is an interval.
    public int leastRounds() {
        return leastUnits() * roundsOfUnit();
    }

    /// The same, in blocks, which are what a run goes on by.
    public int leastBlocks() {
        return PairedUnits.block(leastRounds());
    }

    /// Blocks that settle what the host is like, in a run that looks at its answer after each of them: where a third of
    /// these is disturbed, what is left of them is as much as the first interval takes.
    public int settlingBlocks() {
        return leastBlocks() * 3 / 2;
    }

    /// Whether so many blocks are the units; else rounds are.
    boolean isJudgedByBlocks(int blocks) {
        return this == FIXED ? blocks >= LEAST_BLOCKS : this == SEQUENTIAL;
    }
}
