package kvant.server.admit;

import kvant.server.execute.CallExecutor;

/// Runs into a wall on purpose; see WallsTest.
public record AdmissionThatKnowsTheExecutor(CallExecutor knows1) {}
