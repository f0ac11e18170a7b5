package kvant.server.service.violation;

import io.netty.buffer.ByteBuf;

/// Runs into a wall on purpose; see WallsTest.
public record ServiceThatKnowsNetty(ByteBuf knows1) {}
