package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Request bodies: exact, bounded, and refused in a way that the client gets to see.
@NullUnmarked
class BodyTest {

    private static final String PUT = "PUT /v0/entity?id=k HTTP/1.1\r\nHost: h\r\n";

    private NodeHarness harness;

    @BeforeEach
    void start() {
        harness = NodeHarness.async();
    }

    @AfterEach
    void stop() throws Exception {
        harness.close();
    }

    @Test
    void aLargeValueRoundTrips() throws Exception {
        byte[] value = new byte[10_000_000];
        new Random(1).nextBytes(value);
        RawClient client = harness.client();
        client.send(PUT + "Content-Length: " + value.length + "\r\n\r\n").send(value);
        assertThat(client.read().status()).isEqualTo(201);
        assertThat(client.exchange(get("k")).body()).isEqualTo(value);
        assertThat(harness.node.memory().bodies().claimedBytes()).isZero();
    }

    @Test
    void aChunkedValueRoundTripsWhateverTheChunks() throws Exception {
        Random random = new Random(2);
        byte[] value = new byte[300_000];
        random.nextBytes(value);
        RawClient client = harness.client().send(PUT + "Transfer-Encoding: chunked\r\n\r\n");
        for (int at = 0; at < value.length; ) {
            int size = Math.min(value.length - at, 1 + random.nextInt(9000));
            client.send(Integer.toHexString(size) + "\r\n");
            client.send(Arrays.copyOfRange(value, at, at + size)).send("\r\n");
            at += size;
        }
        client.send("0\r\n\r\n");
        assertThat(client.read().status()).isEqualTo(201);
        assertThat(client.exchange(get("k")).body()).isEqualTo(value);
        assertThat(harness.node.memory().bodies().claimedBytes()).isZero();
    }

    @Test
    void aClientThatUploadsTooMuchGetsItsAnswerWhileItIsStillSending() throws Exception {
        long total = 150L << 20;
        assertTooLarge("Content-Length: " + total + "\r\n\r\n", total, false);
    }

    @Test
    void aClientThatUploadsTooManyChunksGetsItsAnswerWhileItIsStillSending() throws Exception {
        assertTooLarge("Transfer-Encoding: chunked\r\n\r\n", 150L << 20, true);
    }

    /// Sends everything before it reads anything: the answer must have survived.
    private void assertTooLarge(String header, long total, boolean chunked) throws Exception {
        RawClient client = harness.client().send(PUT + header);
        byte[] piece = new byte[1 << 20];
        AtomicReference<IOException> failure = new AtomicReference<>();
        try {
            for (long sent = 0; sent < total; sent += piece.length) {
                client.send(chunked ? bytes("100000\r\n") : new byte[0]).send(piece);
                client.send(chunked ? bytes("\r\n") : new byte[0]);
            }
        } catch (IOException e) {
            failure.set(e);
        }
        assertThat(failure.get()).as("nothing was reset").isNull();
        assertThat(client.read().status()).isEqualTo(413);
        assertThat(client.isClosed()).isTrue();
        assertThat(harness.engine.calls()).isEmpty();
        assertThat(harness.node.memory().bodies().claimedBytes()).isZero();
    }

    @Test
    void continueIsSentBeforeTheBodyAndOnlyThen() throws Exception {
        RawClient client = harness.client();
        client.send(PUT + "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n");
        assertThat(client.read().status()).isEqualTo(100);
        client.send("value");
        assertThat(client.read().status()).isEqualTo(201);
        client.send(PUT.replace("=k", "=") + "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n");
        assertThat(client.read().status()).isEqualTo(400);
        assertThat(client.isClosed()).isTrue();
    }

    @Test
    void continueWaitsForTheAnswersBeforeIt() throws Exception {
        MemoryEngine.Gate gate = new MemoryEngine.Gate();
        harness.engine.blockReads(gate);
        RawClient client = harness.client();
        client.send(get("none") + PUT + "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n");
        Awaitility.await().until(() -> gate.waiting() == 1);
        gate.open();
        assertThat(client.read().status()).isEqualTo(404);
        assertThat(client.read().status()).isEqualTo(100);
        client.send("value");
        assertThat(client.read().status()).isEqualTo(201);
    }

    @Test
    void aBodyThatIsCutOffIsNeverStored() throws Exception {
        RawClient client = harness.client();
        client.send(PUT + "Content-Length: 10\r\n\r\nhalf");
        client.endOutput();
        assertThat(client.read().status()).isEqualTo(400);
        assertThat(client.isClosed()).isTrue();
        assertThat(harness.engine.calls()).isEmpty();
    }
}
