package kvant.server.http.violation;

import org.slf4j.Logger;

/// Runs into a wall on purpose; see LibrariesTest.
public record HttpThatKnowsSlf4j(Logger knows) {}
