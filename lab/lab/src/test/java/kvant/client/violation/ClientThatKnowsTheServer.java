package kvant.client.violation;

import kvant.server.NodeOptions;

/// Runs into a wall on purpose; see WallsTest.
public record ClientThatKnowsTheServer(NodeOptions knows) {}
