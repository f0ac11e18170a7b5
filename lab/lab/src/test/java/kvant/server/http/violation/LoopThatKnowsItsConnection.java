package kvant.server.http.violation;

/// Runs into a wall on purpose; see WallsTest.
public record LoopThatKnowsItsConnection(ConnectionThatKnowsItsLoop knows1) {}
