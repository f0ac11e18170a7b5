package kvant.cli.lab;

import kvant.cli.serve.ServeCommand;

/// Runs into a wall on purpose; see WallsTest.
public record LabThatKnowsServe(ServeCommand knows) {}
