package kvant.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import kvant.server.MemoryEngine;
import org.junit.jupiter.api.Test;

/// Pages that only the machine of the node may see. (The embedded channel has no address at all.)
class LoopbackTest {

    @Test
    void aClientFromElsewhereIsRefused() {
        try (EmbeddedNode node = new EmbeddedNode(MemoryEngine.inline())) {
            byte[] request = "GET /debug/slow HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
            node.send(request, 0, request.length);
            assertThat(node.answers()).startsWith("HTTP/1.1 403 Forbidden").contains("loopback-only");
        }
    }
}
