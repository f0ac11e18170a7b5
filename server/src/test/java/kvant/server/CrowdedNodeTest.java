package kvant.server;

import static kvant.server.NodeHarness.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import kvant.server.MemoryEngine.Gate;
import kvant.server.Node.Descriptors;
import kvant.server.http.contract.HttpLimits;
import org.junit.jupiter.api.Test;

/// As many connections as there may be: newcomers get the places of those that wait for their clients.
class CrowdedNodeTest {

    private static final int PLACES = 6;
    private static final String PARTIAL_HEAD = "GET /v0/ent";
    private static final String CLAIMED_HEAD = "GET /v0/entity?id=k HTTP/1.1\r\nHost: h\r\nX-Long: " + "x".repeat(1500);
    private static final String PARTIAL_BODY =
            "PUT /v0/entity?id=a HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nx";

    private static HttpLimits limits(Consumer<HttpLimits.Draft> change) {
        return HttpLimits.defaults()
                .with(l -> {
                    l.maxConnections = PLACES;
                    l.lingerTimeout = Duration.ofMillis(200); // has deadlines looked at more often
                })
                .with(change);
    }

    private static NodeHarness node(Consumer<HttpLimits.Draft> change) {
        HttpLimits limits = limits(change);
        return new NodeHarness(options -> options.with(o -> o.limits = limits));
    }

    @Test
    void theConnectionsThatHaveWaitedForTheLongestMakeRoom() throws Exception {
        HttpLimits limits = limits(_ -> {});
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> {
            o.limits = limits;
            o.eventLoops = 1;
        }))) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < PLACES; i++) {
                clients.add(harness.client());
                assertThat(clients.get(i).exchange(get("k")).status()).isEqualTo(404);
            }
            clients.getFirst().send(CLAIMED_HEAD);
            await().until(() ->
                    harness.node.memory().unread().slowHolders() == 1); // the node's coarse time has gone on
            RawClient last = clients.removeLast();
            last.send(CLAIMED_HEAD);
            await().until(() ->
                    harness.node.memory().unread().slowHolders() == 2); // it has waited, too, but not as long
            for (int i = 0; i < clients.size(); i++) {
                assertThat(harness.client().exchange(get("k")).status()).isEqualTo(404);
            }
            for (RawClient each : clients) {
                assertThat(isGone(each)).isTrue();
            }
            assertThat(last.exchange("\r\n\r\n").status()).isEqualTo(404);
        }
    }

    @Test
    void whoSendsNothingMoreOfHisRequestMakesRoomToo() throws Exception {
        for (String part : List.of("", PARTIAL_HEAD, PARTIAL_BODY)) {
            try (NodeHarness harness = node(_ -> {})) {
                for (int i = 0; i < PLACES; i++) {
                    harness.client().send(part);
                }
                RawClient newcomer = harness.client();
                assertThat(newcomer.exchange(get("k")).status()).isEqualTo(404);
                await().until(() -> harness.node.connections() <= PLACES);
                assertThat(newcomer.exchange(get("k")).status()).isEqualTo(404);
            }
        }
    }

    private static boolean isGone(RawClient client) {
        try {
            return client.isClosed();
        } catch (Exception _) { // a reset
            return true;
        }
    }

    @Test
    void nobodyGoesWhoseRequestIsBeingCarriedOut() throws Exception {
        try (NodeHarness harness = node(_ -> {})) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            List<RawClient> busy = new ArrayList<>();
            for (int i = 0; i <= PLACES; i++) { // one more than there may be is let in
                busy.add(harness.client().send(get("k")));
                int expected = i + 1;
                await().until(() -> harness.node.connections() == expected);
            }
            RawClient waiting = harness.client().send(get("k"));
            await().pollDelay(Duration.ofSeconds(2)).until(() -> harness.node.connections() == PLACES + 1);
            gate.open();
            for (RawClient each : busy) {
                assertThat(each.read().status()).isEqualTo(404);
            }
            assertThat(waiting.read().status()).as("one of them made room then").isEqualTo(404);
        }
    }

    @Test
    void anAddressHasNoMoreThanItsShare() throws Exception {
        try (NodeHarness harness = node(l -> l.maxConnectionsPerAddress = 2)) {
            RawClient first = harness.client();
            RawClient second = harness.client();
            assertThat(first.exchange(get("k")).status()).isEqualTo(404);
            assertThat(second.exchange(get("k")).status()).isEqualTo(404);
            assertThat(isGone(harness.client())).isTrue();
            assertThat(first.exchange(get("k")).status()).isEqualTo(404);
            second.close();
            await().until(() -> harness.node.connections() == 1);
            assertThat(harness.client().exchange(get("k")).status()).isEqualTo(404);
        }
    }

    @Test
    void connectionsLeaveDescriptorsForFiles() {
        assertThat(Descriptors.connections(256, 90)).isEqualTo(102);
        assertThat(Descriptors.connections(20_000, 100)).isEqualTo(20_000 - 100 - 512);
        assertThat(Descriptors.connections(64, 60)).isOne();
    }
}
