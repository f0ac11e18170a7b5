package kvant.server.http.parse;

import io.netty.channel.Channel;

/// Runs into a wall on purpose; see WallsTest.
public record ParserThatKnowsAChannel(Channel knows1) {}
