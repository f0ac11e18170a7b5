package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import kvant.server.admit.ClientMemory;
import kvant.server.http.contract.HttpLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Input memory is bounded, and at most what clients sent; the slowest client is closed first; requests of other
/// clients are answered.
class HeldInputTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int KB = 1 << 10;
    private static final int FLOODS = 60;

    /// The patience of a test: no client is cut off for being slow alone.
    private static HttpLimits patient(Consumer<HttpLimits.Draft> change) {
        return NodeHarness.hasty(LONG, LONG, LONG, LONG)
                .with(l -> {
                    l.bodyTimeout = LONG;
                    l.minBodyBytesPerSecond = 1;
                })
                .with(change);
    }

    private static NodeHarness node(Consumer<HttpLimits.Draft> change) {
        return node(TransportKind.AUTO, change);
    }

    private static NodeHarness node(TransportKind transport, Consumer<HttpLimits.Draft> change) {
        HttpLimits limits = patient(change);
        return new NodeHarness(options -> options.with(o -> {
            o.limits = limits;
            o.transport = transport;
        }));
    }

    private static String announced(String id, int length) {
        return "PUT /v0/entity?id=" + id + " HTTP/1.1\r\nHost: h\r\nContent-Length: " + length + "\r\n\r\n";
    }

    // --- Unread ---

    /// Its receive buffer has grown with the body, except in a ring of io_uring.
    @ParameterizedTest
    @EnumSource(
            value = TransportKind.class,
            names = {"AUTO", "NIO"})
    void aPartOfAHeadAfterALargeRefusedBodyKeepsNoReceiveBuffer(TransportKind transport) throws Exception {
        try (NodeHarness harness = node(transport, _ -> {})) {
            ClientMemory memory = harness.node.memory();
            int connections = 20;
            int partBytes = 1500;
            for (int i = 0; i < connections; i++) {
                RawClient client = harness.client();
                client.send("PUT /v0/nowhere HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n");
                client.send(new byte[1_000_000]);
                assertThat(client.read().status()).isEqualTo(404);
                client.send("GET /" + "x".repeat(partBytes - 5));
            }
            await().until(() -> memory.unread().claimedBytes() >= connections * partBytes);
            await().until(() -> memory.unread().slowHolders() == connections);
            assertThat(memory.unread().claimedBytes()).isLessThanOrEqualTo(connections * 2 * partBytes);
        }
    }

    @Test
    void aLongHeadThatComesByteByByteHoldsTwiceItsLengthAtMost() throws Exception {
        try (NodeHarness harness = node(_ -> {})) {
            ClientMemory memory = harness.node.memory();
            String head = get("k").replace("Host", "X-Long: " + "x".repeat(3000) + "\r\nHost");
            RawClient client = harness.client();
            int sent = 0;
            for (String part : head.substring(0, 3000).split("")) {
                client.send(part);
                sent++;
                if (sent % 750 == 0) {
                    int most = 2 * sent;
                    int least = sent > 1024 ? sent : 0;
                    await().until(() -> memory.unread().claimedBytes() >= least);
                    assertThat(memory.unread().claimedBytes()).isLessThanOrEqualTo(most);
                }
            }
            assertThat(client.exchange(head.substring(3000)).status()).isEqualTo(404);
            await().until(() -> memory.unread().claimedBytes() == 0);
        }
    }

    @Test
    void theSlowestPartOfAHeadGoesFirstAndNobodyElse() throws Exception {
        try (NodeHarness harness = node(l -> {
            l.maxUnreadBytes = 512 * KB;
            l.lingerTimeout = Duration.ofMillis(200); // has deadlines looked at more often
        })) {
            ClientMemory memory = harness.node.memory();
            List<RawClient> slow = new ArrayList<>();
            String part = "GET /v0/entity?id=k HTTP/1.1\r\nHost: h\r\nX: " + "x".repeat(15_900);
            while (memory.unread().shed() == 0) {
                slow.add(harness.client().send(part));
                int expected = slow.size();
                await().until(() -> memory.unread().slowHolders()
                                + memory.unread().shed()
                                + memory.unread().refused()
                        == expected);
                assertThat(memory.unread().claimedBytes())
                        .as("with what one still holds that was told to go")
                        .isLessThanOrEqualTo((512 + 32) * KB);
                assertThat(harness.client().exchange(get("k")).status())
                        .as("a head that comes at once needs none")
                        .isEqualTo(404);
                RawClient split = harness.client().send("GET /v0/ent");
                await().until(() -> memory.unread().claimedBytes() > 0);
                assertThat(split.exchange("ity?id=k HTTP/1.1\r\nHost: h\r\n\r\n")
                                .status())
                        .isEqualTo(404);
                split.close();
            }
            assertThat(slow).hasSizeGreaterThan(8);
            RawClient.Answer answer = slow.getFirst().read();
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("Connection")).isEqualTo("close");
            assertThat(slow.getLast().exchange("\r\n\r\n").status()).isEqualTo(404);
        }
    }

    /// The pipeline is full, and what came behind it waits in a buffer.
    @Test
    void whatWaitsForAPlaceInItsPipelineIsClaimed() throws Exception {
        HttpLimits limits = patient(_ -> {});
        try (NodeHarness harness =
                new NodeHarness(options -> options.withWorkers(1).with(o -> o.limits = limits))) {
            ClientMemory memory = harness.node.memory();
            MemoryEngine.Gate gate = new MemoryEngine.Gate();
            harness.engine.blockReads(gate);
            RawClient client = harness.client().send(get("k").repeat(100));
            await().until(() -> gate.waiting() == 1);
            await().until(() -> memory.unread().claimedBytes()
                    >= get("k").length() * (100 - HttpLimits.defaults().maxPipelined()));
            gate.open();
            for (int i = 0; i < 100; i++) {
                assertThat(client.read().status()).isEqualTo(404);
            }
            await().until(() -> memory.unread().claimedBytes() == 0);
        }
    }

    /// They send more than the receive buffers of their event loop hold. Linux fills 32 of these for a connection
    /// before it sees that io_uring shall stop.
    @Test
    void clientsBehindFullPipelinesAreNotReadOnFrom() throws Exception {
        HttpLimits limits = patient(_ -> {});
        try (NodeHarness harness =
                new NodeHarness(options -> options.withWorkers(1).with(o -> o.limits = limits))) {
            MemoryEngine.Gate gate = new MemoryEngine.Gate();
            harness.engine.blockReads(gate);
            List<SocketChannel> clients = new ArrayList<>();
            try {
                for (int i = 0; i < FLOODS; i++) {
                    SocketChannel client = SocketChannel.open(new InetSocketAddress("127.0.0.1", harness.node.port()));
                    client.configureBlocking(false);
                    clients.add(client);
                }
                byte[] gets = bytes(get("k").repeat(2000));
                await().atMost(Duration.ofMinutes(1))
                        .during(Duration.ofMillis(500))
                        .until(() -> sent(clients, gets) == 0);
                assertThat(harness.node.memory().unread().claimedBytes()).isLessThanOrEqualTo(FLOODS * 32 * 8 * KB);
            } finally {
                gate.open();
                for (SocketChannel client : clients) {
                    client.close();
                }
            }
        }
    }

    private static int sent(List<SocketChannel> clients, byte[] bytes) throws IOException {
        int sent = 0;
        for (SocketChannel client : clients) {
            sent += client.write(ByteBuffer.wrap(bytes)); // cuts a request: nothing is read there
        }
        return sent;
    }

    // --- Bodies ---

    @Test
    void announcedBodiesHoldNothing() throws Exception {
        try (NodeHarness harness = node(l -> l.maxBufferedBodyBytes = 1 << 20)) {
            for (int i = 0; i < 64; i++) {
                RawClient client = harness.client().send(get("k") + announced("a", 256 * KB));
                assertThat(client.read().status()).isEqualTo(404);
                client.send("x");
            }
            await().until(() -> harness.node.memory().bodies().claimedBytes() == 64);
            assertThat(harness.client().exchange(put("b", "x".repeat(200 * KB))).status())
                    .isEqualTo(201);
        }
    }

    @Test
    void aBodyHoldsTwiceWhatArrivedAtMost() throws Exception {
        try (NodeHarness harness = node(_ -> {})) {
            RawClient client = harness.client().send(announced("a", 1 << 20));
            int sent = 0;
            for (int piece : new int[] {1, 10, 3000, 100, 90_000, 200_000, 300_000}) {
                client.send(new byte[piece]);
                sent += piece;
                long arrived = sent;
                await().until(() -> harness.node.memory().bodies().claimedBytes() >= arrived);
                assertThat(harness.node.memory().bodies().claimedBytes()).isLessThanOrEqualTo(2 * arrived);
            }
            client.send(new byte[(1 << 20) - sent]);
            assertThat(client.read().status()).isEqualTo(201);
            assertThat(harness.engine.stored(bytes("a"))).hasSize(1 << 20);
            await().until(() -> harness.node.memory().bodies().claimedBytes() == 0);
        }
    }

    @Test
    void largeBodiesLeaveRoomForSmallOnes() throws Exception {
        try (NodeHarness harness = node(l -> l.maxBufferedBodyBytes = 1 << 20)) {
            ClientMemory memory = harness.node.memory();
            for (int i = 1; i <= 8; i++) {
                harness.client().send(announced("a", 256 * KB)).send(new byte[255 * KB]);
                int held = Math.min(i, 3);
                int refused = i - held;
                await().until(() ->
                        memory.bodies().refused() == refused && memory.bodies().claimedBytes() == held * 256 * KB);
            }
            for (int i = 0; i < 10; i++) {
                assertThat(harness.client()
                                .exchange(put("s", "x".repeat(60_000)))
                                .status())
                        .isEqualTo(201);
            }
            assertThat(memory.bodies().shed()).isZero();
        }
    }

    @Test
    void theLargestSlowBodyGoesForOneThatGetsOn() throws Exception {
        try (NodeHarness harness = node(l -> l.maxBufferedBodyBytes = 1 << 20)) {
            ClientMemory memory = harness.node.memory();
            RawClient smaller = harness.client().send(announced("a", 100 * KB)).send(new byte[90 * KB]);
            RawClient largest = harness.client().send(announced("b", 600 * KB)).send(new byte[590 * KB]);
            await().until(() -> memory.bodies().slowHolders() == 2);
            for (int i = 0; i < 4; i++) { // connections go to the loops in turn
                assertThat(harness.client()
                                .exchange(put("c", "x".repeat(300 * KB)))
                                .status())
                        .isEqualTo(201);
            }
            RawClient.Answer answer = largest.read();
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("Connection")).isEqualTo("close");
            assertThat(memory.bodies().shed()).isOne();
            smaller.send(new byte[10 * KB]);
            assertThat(smaller.read().status()).isEqualTo(201);
            await().until(() -> harness.node.memory().bodies().claimedBytes() == 0);
            assertThat(harness.engine.stored(bytes("b"))).isNull();
        }
    }
}
