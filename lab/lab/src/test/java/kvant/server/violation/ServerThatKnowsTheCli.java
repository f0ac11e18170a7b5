package kvant.server.violation;

import kvant.cli.Main;

/// Runs into a wall on purpose; see WallsTest.
public record ServerThatKnowsTheCli(Main knows) {}
