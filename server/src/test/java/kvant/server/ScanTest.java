package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import kvant.engine.EngineException;
import kvant.server.MemoryEngine.Gate;
import kvant.server.http.contract.HttpLimits;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Range reads go at the pace of the client, and hold nothing longer than they must.
@NullUnmarked
@ParameterizedClass
@EnumSource(ExecutorKind.class)
class ScanTest {

    private static final int RECORDS = 20_000;
    private static final byte[] VALUE = new byte[1024];
    private static final List<byte[]> KEYS = IntStream.range(0, RECORDS)
            .mapToObj(i -> bytes("k%08d".formatted(i)))
            .toList();
    private static final int SMALL_RECEIVE_BUFFER = 4096;
    private static final String SCAN = "GET /v0/entities?start=k HTTP/1.1\r\nHost: h\r\n\r\n";

    @Parameter
    ExecutorKind executor;

    private NodeHarness harness;

    @BeforeEach
    void start() {
        harness = new NodeHarness(options -> options.withExecutor(executor).withQueue(8));
        fill();
    }

    /// Of most tests the only thing that takes time, so that keys and value are made once.
    private void fill() {
        for (byte[] key : KEYS) {
            harness.engine.load(key, VALUE);
        }
    }

    @AfterEach
    void stop() throws Exception {
        harness.close();
    }

    @Test
    void aSlowReaderHoldsTheEngineBackAndGetsEverythingInTheEnd() throws Exception {
        RawClient slow = harness.client(SMALL_RECEIVE_BUFFER).send(SCAN);
        assertThat(slow.readHead()).contains("chunked");
        awaitStop();
        assertThat(harness.engine.pulledRecords())
                .as("about what the socket buffers and one round hold")
                .isLessThan(RECORDS / 2);
        assertThat(harness.client().exchange(get("none")).status()).isEqualTo(404);
        int records = 0;
        while (true) {
            int size = Integer.parseInt(line(slow), 16);
            slow.readFully(size + 2);
            if (size == 0) {
                break;
            }
            records++;
        }
        assertThat(records).isEqualTo(RECORDS);
        assertThat(harness.engine.pullsOverlapped()).isFalse();
        await().until(() -> harness.engine.openCursors() == 0 && harness.node.openScans() == 0);
        assertThat(slow.exchange(get("none")).status())
                .as("the connection goes on")
                .isEqualTo(404);
    }

    @Test
    void theCursorIsClosedWhenTheClientGoesAway() throws Exception {
        RawClient slow = harness.client(SMALL_RECEIVE_BUFFER).send(SCAN);
        slow.readHead();
        await().until(() -> harness.engine.openCursors() == 1);
        awaitStop();
        slow.socket().setSoLinger(true, 0);
        slow.close();
        await().until(() -> harness.engine.openCursors() == 0);
        assertThat(harness.engine.pulledRecords()).isLessThan(RECORDS);
    }

    @Test
    void theCursorIsClosedWhenTheClientGoesAwayInTheMiddleOfARound() throws Exception {
        if (executor == ExecutorKind.SYNC) {
            return; // there the loop itself is in the middle of the round
        }
        Gate gate = new Gate();
        harness.engine.blockScans(gate);
        RawClient client = harness.client().send(SCAN);
        await().until(() -> gate.waiting() == 1);
        client.socket().setSoLinger(true, 0);
        client.close();
        await().until(() -> harness.node.connections() == 0);
        assertThat(harness.engine.openCursors()).isEqualTo(1);
        gate.open();
        await().until(() -> harness.engine.openCursors() == 0);
    }

    @Test
    void aFailureBeforeTheFirstRecordIsAnOrdinaryError() throws Exception {
        harness.engine.failScans(3, new EngineException.Corruption("000017.sst", 4096, "checksum"));
        RawClient.Answer answer = harness.client().exchange(SCAN);
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.text()).contains("000017.sst");
        await().until(() -> harness.engine.openCursors() == 0);
    }

    @Test
    void aFailureInTheMiddleClosesWithoutTheLastChunk() throws Exception {
        harness.engine.failScans(1000, new EngineException.Corruption("000017.sst", 4096, "checksum"));
        RawClient client = harness.client().send(SCAN);
        assertThatThrownBy(client::read).isInstanceOf(EOFException.class);
        await().until(() -> harness.engine.openCursors() == 0);
    }

    @Test
    void aFailureInTheMiddleIsTheLastLineOfNdjson() throws Exception {
        harness.engine.failScans(1000, new EngineException.Corruption("000017.sst", 4096, "checksum"));
        RawClient client = harness.client();
        String text = client.exchange(SCAN.replace("\r\n\r\n", "\r\nAccept: application/x-ndjson\r\n\r\n"))
                .text();
        List<String> lines = text.lines().toList();
        assertThat(lines).hasSize(1001);
        assertThat(lines.getLast())
                .startsWith("{\"complete\":false,\"reason\":\"")
                .contains("000017.sst");
        assertThat(client.exchange(get("none")).status()).isEqualTo(404);
    }

    @Test
    void ndjsonOfLargeValuesIsWhole() throws Exception {
        byte[] large = new byte[1_000_001];
        new Random(7).nextBytes(large);
        harness.engine.load(bytes("z"), large);
        String text = harness.client()
                .exchange("GET /v0/entities?start=z HTTP/1.1\r\nHost: h\r\nAccept: application/x-ndjson\r\n\r\n")
                .text();
        String value = text.substring(text.indexOf("value\":\"") + 8, text.indexOf("\"}"));
        assertThat(Base64.getDecoder().decode(value)).isEqualTo(large);
        assertThat(text).endsWith("{\"complete\":true,\"records\":1}\n");
    }

    @Test
    void manyScansShareASmallQueueWithoutBeingCutOff() throws Exception {
        List<Thread> readers = new ArrayList<>();
        List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 8; i++) {
            RawClient client = harness.client();
            readers.add(Thread.startVirtualThread(() -> {
                try {
                    sizes.add(client.exchange(SCAN).chunks().size());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }));
        }
        for (Thread reader : readers) {
            reader.join();
        }
        assertThat(sizes).hasSize(8).containsOnly(RECORDS + 1);
    }

    @Test
    void aClientThatTakesNothingIsCutOffAfterTheStallTimeout() throws Exception {
        harness.close();
        HttpLimits hasty = NodeHarness.hasty(
                HttpLimits.defaults().headTimeout(),
                Duration.ofMillis(300),
                HttpLimits.defaults().idleTimeout(),
                HttpLimits.defaults().lingerTimeout());
        harness = new NodeHarness(options -> options.withExecutor(executor).with(o -> o.limits = hasty));
        fill();
        harness.client(SMALL_RECEIVE_BUFFER).send(SCAN);
        await().until(() -> harness.engine.openCursors() == 1);
        await().until(() -> harness.engine.openCursors() == 0 && harness.node.connections() == 0);
    }

    /// Until no record was pulled for a while.
    private void awaitStop() {
        long[] seen = {0};
        await().pollInterval(Duration.ofMillis(100)).until(() -> {
            long before = seen[0];
            seen[0] = harness.engine.pulledRecords();
            return before > 0 && before == seen[0];
        });
    }

    private static String line(RawClient client) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = client.readByte(); b != '\r'; b = client.readByte()) {
            line.append((char) b);
        }
        client.readByte();
        return line.toString();
    }
}
