package kvant.server.violation;

import picocli.CommandLine;

/// Runs into a wall on purpose; see LibrariesTest.
public record ServerThatKnowsPicocli(CommandLine knows) {}
