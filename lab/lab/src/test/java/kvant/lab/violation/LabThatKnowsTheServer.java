package kvant.lab.violation;

import kvant.server.NodeOptions;

/// Runs into a wall on purpose; see WallsTest.
public record LabThatKnowsTheServer(NodeOptions knows) {}
