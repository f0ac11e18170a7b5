package kvant.server.service.violation;

import io.prometheus.metrics.model.snapshots.Labels;

/// Runs into a wall on purpose; see WallsTest.
public record ServiceThatKnowsPrometheus(Labels knows1) {}
