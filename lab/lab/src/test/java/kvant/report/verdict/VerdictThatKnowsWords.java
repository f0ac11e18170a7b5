package kvant.report.verdict;

import kvant.report.words.Phrase;

/// Runs into a wall on purpose; see WallsTest.
public record VerdictThatKnowsWords(Phrase knows) {}
