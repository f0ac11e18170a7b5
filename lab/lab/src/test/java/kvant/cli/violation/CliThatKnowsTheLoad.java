package kvant.cli.violation;

import kvant.load.plan.LoadPlan;

/// Runs into a wall on purpose; see WallsTest.
public record CliThatKnowsTheLoad(LoadPlan knows) {}
