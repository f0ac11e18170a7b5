package kvant.server.execute;

import kvant.server.request.Request;

/// Runs into a wall on purpose; see WallsTest.
public record ExecutorThatKnowsTheService(Request knows1) {}
