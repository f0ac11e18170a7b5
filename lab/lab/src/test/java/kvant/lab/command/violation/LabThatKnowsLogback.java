package kvant.lab.command.violation;

import ch.qos.logback.classic.Level;

/// Runs into a wall on purpose; see LibrariesTest.
public record LabThatKnowsLogback(Level knows) {}
