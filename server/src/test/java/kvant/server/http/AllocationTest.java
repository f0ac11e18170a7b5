package kvant.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.util.ResourceLeakDetector;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import kvant.server.MemoryEngine;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Allocations of a get of a value in memory, from the bytes read to the bytes written.
@Tag("alone") // with all of the compiler
class AllocationTest {

    private static final int REQUESTS = 100_000;
    private static final int MOST_BYTES_PER_GET = 1024;
    private static final ResourceLeakDetector.Level LEVEL = ResourceLeakDetector.getLevel();

    @BeforeAll
    static void doNotTrack() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED); // tracking allocates a stack trace each
    }

    @AfterAll
    static void trackAgain() {
        ResourceLeakDetector.setLevel(LEVEL);
    }

    @Test
    void aHotGetAllocatesLessThanOneKilobyteInAllLayers() {
        MemoryEngine engine = MemoryEngine.inline();
        engine.record(false);
        engine.load("key-0123456789".getBytes(StandardCharsets.US_ASCII), new byte[30]);
        try (EmbeddedNode node = new EmbeddedNode(engine)) {
            ByteBuf request = node.channel
                    .alloc()
                    .directBuffer()
                    .writeBytes("GET /v0/entity?id=key-0123456789 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            gets(node, request); // warm
            long before = allocated();
            gets(node, request);
            long perGet = (allocated() - before) / REQUESTS;
            request.release();
            System.out.println("bytes allocated per hot get: " + perGet);
            assertThat(perGet).isPositive().isLessThan(MOST_BYTES_PER_GET);
        }
    }

    private static void gets(EmbeddedNode node, ByteBuf request) {
        for (int i = 0; i < REQUESTS; i++) {
            node.channel.writeInbound(request.readerIndex(0).retain());
            ByteBuf answer = node.channel.readOutbound();
            if (answer.readableBytes() < 100) {
                throw new AssertionError(answer.toString(StandardCharsets.ISO_8859_1));
            }
            answer.release();
        }
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }
}
