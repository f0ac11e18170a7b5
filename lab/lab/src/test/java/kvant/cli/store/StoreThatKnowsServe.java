package kvant.cli.store;

import kvant.cli.serve.ServeCommand;

/// Runs into a wall on purpose; see WallsTest.
public record StoreThatKnowsServe(ServeCommand knows) {}
