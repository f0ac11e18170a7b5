package kvant.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import kvant.server.MemoryEngine;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A connection that ends in the middle of something lets go of all it holds.
class ReleaseTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /v0/ent",
                "GET /v0/entity?id=k HTTP/1.1\r\nHos",
                "PUT /v0/entity?id=k HTTP/1.1\r\nHost: h\r\nContent-Length: 50\r\n\r\nhalf",
                "PUT /v0/entity?id=k HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5",
                "PUT /v0/entity?id=k HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nval",
            })
    void bytesAndMemoryOfAHalfReadRequestAreReleased(String half) {
        ByteBuf bytes = Unpooled.directBuffer().writeBytes(half.getBytes(StandardCharsets.US_ASCII));
        EmbeddedNode node = new EmbeddedNode(MemoryEngine.inline());
        node.channel.writeInbound(bytes);
        node.close();
        assertThat(bytes.refCnt()).isZero();
        assertThat(node.budget.claimedBytes()).isZero();
    }
}
