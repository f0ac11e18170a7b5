package kvant.lab.violation;

import one.convert.Arguments;

/// Runs into a wall on purpose; see WallsTest.
public record LabThatKnowsTheProfiler(Arguments knows) {}
