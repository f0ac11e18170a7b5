package kvant.server.http.parse;

import kvant.server.http.answer.Answer;

/// Runs into a wall on purpose; see WallsTest.
public record ParserThatKnowsTheAnswer(Answer knows1) {}
