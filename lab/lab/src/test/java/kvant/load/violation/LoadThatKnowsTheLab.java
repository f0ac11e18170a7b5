package kvant.load.violation;

import kvant.lab.run.LabRun;

/// Runs into a wall on purpose; see WallsTest.
public record LoadThatKnowsTheLab(LabRun knows) {}
