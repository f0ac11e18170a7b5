package kvant.text.violation;

import org.HdrHistogram.Histogram;

/// Runs into a wall on purpose; see LibrariesTest.
public record TextThatKnowsHdrHistogram(Histogram knows) {}
