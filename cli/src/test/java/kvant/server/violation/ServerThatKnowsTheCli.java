package kvant.server.violation;

import ch.qos.logback.classic.Logger;
import kvant.cli.Main;
import picocli.CommandLine;

/// Runs into a wall on purpose; see WallsTest.
public record ServerThatKnowsTheCli(Main knows1, CommandLine knows2, Logger knows3) {}
