package kvant.lab.run;

import kvant.report.Study;

/// Runs into a wall on purpose; see WallsTest.
public record RunThatKnowsTheReport(Study knows) {}
