package kvant.engine.violation;

import kvant.server.NodeOptions;

/// Runs into a wall on purpose; see WallsTest.
public record EngineThatKnowsTheServer(NodeOptions knows1) {}
