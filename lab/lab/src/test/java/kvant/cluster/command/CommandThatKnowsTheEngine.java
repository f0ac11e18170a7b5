package kvant.cluster.command;

import kvant.engine.Engine;

/// Runs into a wall on purpose; see WallsTest.
public record CommandThatKnowsTheEngine(Engine knows) {}
