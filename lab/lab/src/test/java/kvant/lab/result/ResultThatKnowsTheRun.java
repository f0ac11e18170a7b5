package kvant.lab.result;

import kvant.lab.run.LabRun;

/// Runs into a wall on purpose; see WallsTest.
public record ResultThatKnowsTheRun(LabRun knows) {}
