package kvant.server.http.violation;

import kvant.engine.Engine;

/// Runs into a wall on purpose; see WallsTest.
public record HttpThatKnowsTheEngine(Engine knows1) {}
