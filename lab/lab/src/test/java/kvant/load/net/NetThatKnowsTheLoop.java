package kvant.load.net;

import kvant.load.loop.StopSwitch;

/// Runs into a wall on purpose; see WallsTest.
public record NetThatKnowsTheLoop(StopSwitch knows1) {}
