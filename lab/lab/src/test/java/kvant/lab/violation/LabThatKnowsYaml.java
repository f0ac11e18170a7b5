package kvant.lab.violation;

import org.snakeyaml.engine.v2.api.Load;

/// Runs into a wall on purpose; see WallsTest.
public record LabThatKnowsYaml(Load knows) {}
