package kvant.cli.serve.violation;

import io.opentelemetry.api.trace.Tracer;

/// Runs into a wall on purpose; see LibrariesTest.
public record ServeThatKnowsOpenTelemetry(Tracer knows) {}
