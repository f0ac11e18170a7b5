package kvant.server.violation;

import kvant.load.plan.LoadPlan;

/// Runs into a wall on purpose; see WallsTest.
public record ServerThatKnowsTheLab(LoadPlan knows) {}
