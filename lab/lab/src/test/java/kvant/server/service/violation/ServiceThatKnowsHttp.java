package kvant.server.service.violation;

import kvant.server.http.violation.HttpThatKnowsTheEngine;

/// Runs into a wall on purpose; see WallsTest.
public record ServiceThatKnowsHttp(HttpThatKnowsTheEngine knows1) {}
