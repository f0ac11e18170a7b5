package kvant.text.violation;

import kvant.load.run.LoadRun;

/// Runs into a wall on purpose; see WallsTest.
public record TextThatKnowsTheLoad(LoadRun knows) {}
