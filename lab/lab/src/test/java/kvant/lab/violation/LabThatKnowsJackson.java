package kvant.lab.violation;

import com.fasterxml.jackson.core.JsonFactory;

/// Runs into a wall on purpose; see WallsTest.
public record LabThatKnowsJackson(JsonFactory knows) {}
