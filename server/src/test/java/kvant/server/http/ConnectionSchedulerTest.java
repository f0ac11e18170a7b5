package kvant.server.http;

import static kvant.server.http.EmbeddedNode.forever;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import kvant.server.MemoryEngine;
import kvant.server.http.contract.HttpLimits;
import org.junit.jupiter.api.Test;

/// A connection that sends much, or many tiny things, lets the others of its loop have their turns.
class ConnectionSchedulerTest {

    private static final String HEAD = "PUT /v0/entity?id=k HTTP/1.1\r\nHost: h\r\n";
    private static final int LINES = 100;

    private final MemoryEngine engine = MemoryEngine.inline();
    private final HttpLimits limits = HttpLimits.defaults().with(l -> {
        l.turnLines = LINES;
        l.turnBytes = 10_000;
        l.headTimeout = forever();
        l.stallTimeout = forever();
        l.bodyTimeout = forever();
        l.idleTimeout = forever();
    });

    @Test
    void tinyChunksAreReadInSeveralTurns() {
        int chunks = 1000;
        assertThat(turnsFor(HEAD + "Transfer-Encoding: chunked\r\n\r\n" + "1\r\nx\r\n".repeat(chunks) + "0\r\n\r\n"))
                .isBetween(chunks / LINES, chunks / LINES + 2);
        assertThat(engine.stored(bytes("k"))).hasSize(chunks);
    }

    @Test
    void headersAreReadInSeveralTurns() {
        String headers = "A: b\r\n".repeat(50);
        String request = "GET /v0/entity?id=k HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n";
        assertThat(turnsFor(request.repeat(20) + HEAD + "Content-Length: 0\r\n\r\n"))
                .isBetween(9, 11);
    }

    @Test
    void muchInputIsReadInSeveralTurns() {
        byte[] body = bytes("x".repeat(1000));
        try (EmbeddedNode node = new EmbeddedNode(engine, limits)) {
            node.channel.freezeTime();
            write(node, HEAD + "Content-Length: 30000\r\n\r\n");
            int turns = 0;
            for (int sent = 0; sent < 30_000; sent += body.length) {
                assertThat(node.channel.config().isAutoRead()).isTrue();
                node.channel.writeOneInbound(buffer(node, new String(body, StandardCharsets.US_ASCII)));
                if (!node.channel.config().isAutoRead()) {
                    turns++;
                    nextTurn(node);
                }
            }
            assertThat(turns).isBetween(2, 3);
            assertThat(node.answers()).contains(" 201 ");
        }
    }

    /// A client that ends its input while the rest of its body waits for a turn has sent all of it.
    @Test
    void theEndOfTheInputWaitsForItsTurnToo() {
        String chunks = "1\r\nx\r\n".repeat(1000);
        try (EmbeddedNode node = new EmbeddedNode(engine, limits)) {
            node.channel.freezeTime();
            write(node, HEAD + "Transfer-Encoding: chunked\r\n\r\n" + chunks + "0\r\n\r\n");
            node.channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
            for (int i = 0; i < 20; i++) {
                nextTurn(node);
            }
            assertThat(node.answers()).contains(" 201 ");
        }
    }

    private int turnsFor(String requests) {
        try (EmbeddedNode node = new EmbeddedNode(engine, limits)) {
            node.channel.freezeTime();
            write(node, requests);
            int turns = 1;
            while (!node.answers().contains(" 201 ")) {
                assertThat(turns).isLessThan(100);
                turns++;
                nextTurn(node);
            }
            return turns;
        }
    }

    private static void write(EmbeddedNode node, String text) {
        node.channel.writeInbound(buffer(node, text));
    }

    private static ByteBuf buffer(EmbeddedNode node, String text) {
        return node.channel.alloc().directBuffer().writeBytes(bytes(text));
    }

    private static void nextTurn(EmbeddedNode node) {
        node.channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
        node.channel.runPendingTasks();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
