package kvant.server.violation;

import kvant.lab.load.LoadPlan;

/// Runs into a wall on purpose; see WallsTest.
public record ServerThatKnowsTheLab(LoadPlan knows) {}
