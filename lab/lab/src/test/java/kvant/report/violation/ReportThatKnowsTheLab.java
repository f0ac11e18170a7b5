package kvant.report.violation;

import kvant.lab.run.LabRun;

/// Runs into a wall on purpose; see WallsTest.
public record ReportThatKnowsTheLab(LabRun knows) {}
