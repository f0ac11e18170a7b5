package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import kvant.server.TestCertificates.Identity;
import kvant.server.access.InvalidFileException;
import kvant.server.http.tls.TlsContext.TlsFiles;
import kvant.server.http.tls.TlsFront;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A node with TLS.
@Timeout(180)
class TlsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String METRICS = "GET /metrics HTTP/1.1\r\nHost: h\r\n\r\n";

    @TempDir
    Path folder;

    @BeforeEach
    void writeFiles() throws IOException {
        write(TestCertificates.NODE);
        Files.writeString(folder.resolve("clients"), TestCertificates.CLIENT.certificatePem());
    }

    private void write(Identity identity) throws IOException {
        Files.writeString(folder.resolve("key"), identity.keyPem());
        Files.writeString(folder.resolve("cert"), identity.certificatePem());
    }

    private TlsFiles files(boolean clients, boolean oldToo) {
        return new TlsFiles(
                folder.resolve("cert"), folder.resolve("key"), clients ? folder.resolve("clients") : null, oldToo);
    }

    private NodeHarness node(TlsFiles files, Consumer<NodeOptions.Draft> more) {
        return new NodeHarness(options -> options.withExecutor(ExecutorKind.ADAPTIVE)
                .with(o -> o.access = o.access.with(a -> a.tls = files))
                .with(more));
    }

    private NodeHarness node() {
        return node(files(false, false), _ -> {});
    }

    private static SSLSocket connect(NodeHarness harness, SSLContext context, String... protocols) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", harness.node.port());
        socket.setSoTimeout(20_000);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
        if (protocols.length > 0) {
            parameters.setProtocols(protocols);
        }
        socket.setSSLParameters(parameters);
        return socket;
    }

    private static RawClient client(NodeHarness harness) throws IOException {
        return new RawClient(connect(harness, TestCertificates.NODE.client()));
    }

    private static String metrics(NodeHarness harness) throws IOException {
        try (RawClient client = client(harness)) {
            return client.exchange(METRICS).text();
        }
    }

    @Test
    void clientsOfRedisSpeakItToo() throws Exception {
        try (NodeHarness harness = node(files(false, false), o -> o.respPort = 0);
                SSLSocket socket = (SSLSocket) TestCertificates.NODE
                        .client()
                        .getSocketFactory()
                        .createSocket("127.0.0.1", harness.node.respPort());
                RawClient client = new RawClient(socket);
                RespClient plain = new RespClient(harness.node.respPort())) {
            assertThat(harness.node.otherUrls())
                    .containsExactly("RESP on rediss://127.0.0.1:" + harness.node.respPort());
            client.send(RespClient.command("SET k value")).send(RespClient.command("GET k"));
            assertThat(client.readFully(5)).isEqualTo(bytes("+OK\r\n"));
            assertThat(client.readFully(11)).isEqualTo(bytes("$5\r\nvalue\r\n"));
            assertThatThrownBy(() -> plain.ask("PING")).isInstanceOf(IOException.class);
        }
    }

    @Test
    void requestsAndAnswersAreTheSameAsWithout() throws Exception {
        byte[] large = new byte[5_000_001];
        Arrays.fill(large, (byte) 'x');
        try (NodeHarness harness = node();
                SSLSocket socket = connect(harness, TestCertificates.NODE.client())) {
            assertThat(harness.node.url()).startsWith("https://");
            RawClient client = new RawClient(socket);
            assertThat(client.exchange(put("k", "value")).status()).isEqualTo(201);
            assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.3");
            assertThat(socket.getApplicationProtocol()).isEqualTo("http/1.1");
            assertThat(client.exchange(get("k")).text()).isEqualTo("value");
            assertThat(client.exchange(put("large", new String(large, StandardCharsets.US_ASCII)))
                            .status())
                    .isEqualTo(201);
            client.send((get("k") + get("large") + get("none")).repeat(3));
            for (int i = 0; i < 3; i++) {
                assertThat(client.read().text()).isEqualTo("value");
                assertThat(Arrays.equals(client.read().body(), large)).isTrue();
                assertThat(client.read().status()).isEqualTo(404);
            }
        }
    }

    /// A client that hears no proper end must take the answer for cut off.
    @Test
    void theLastAnswerIsFollowedByAProperEnd() throws Exception {
        try (NodeHarness harness = node()) {
            harness.engine.load(bytes("k"), bytes("value"));
            RawClient closing = client(harness);
            closing.send(get("k").replace("Host: h", "Host: h\r\nConnection: close"));
            assertThat(closing.read().text()).isEqualTo("value");
            assertThat(closing.isClosed()).isTrue();

            RawClient half = client(harness);
            half.send(get("k"));
            ((SSLSocket) half.socket()).shutdownOutput();
            assertThat(half.read().text()).isEqualTo("value");
            assertThat(half.isClosed()).isTrue();

            RawClient broken = client(harness);
            broken.send("what?\r\n\r\n" + "x".repeat(100_000));
            assertThat(broken.read().status()).isEqualTo(400);
            assertThat(broken.isClosed()).isTrue();
            await().atMost(PATIENCE).until(() -> harness.node.connections() == 0);
        }
    }

    /// Keeps the bytes that arrive below TLS.
    private static final class Tapped extends Socket {

        private final ByteArrayOutputStream arrived = new ByteArrayOutputStream();

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read() throws IOException {
                    int b = super.read();
                    if (b >= 0) {
                        arrived.write(b);
                    }
                    return b;
                }

                @Override
                public int read(byte[] into, int from, int most) throws IOException {
                    int count = super.read(into, from, most);
                    arrived.write(into, from, Math.max(0, count));
                    return count;
                }
            };
        }

        /// The type of the last record (RFC 5246, section 6.2.1).
        int lastRecord() {
            byte[] all = arrived.toByteArray();
            int at = 0;
            int type = -1;
            while (at + 5 <= all.length) {
                type = all[at];
                at += 5 + ((all[at + 3] & 0xff) << 8 | all[at + 4] & 0xff);
            }
            assertThat(at).as("whole records").isEqualTo(all.length);
            return type;
        }
    }

    /// In TLS 1.2, where it can be seen from outside: the last record is an alert.
    @Test
    void theEndOfAConnectionIsSaidBeforeItsOutputEnds() throws Exception {
        int alert = 21;
        try (NodeHarness harness = node(files(false, true), _ -> {});
                Tapped tapped = new Tapped()) {
            tapped.connect(new InetSocketAddress("127.0.0.1", harness.node.port()));
            SSLSocket socket = (SSLSocket) TestCertificates.NODE
                    .client()
                    .getSocketFactory()
                    .createSocket(tapped, "127.0.0.1", harness.node.port(), true);
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            RawClient client = new RawClient(socket);
            client.send(get("none").replace("Host: h", "Host: h\r\nConnection: close"));
            assertThat(client.read().status()).isEqualTo(404);
            assertThat(client.isClosed()).isTrue();
            assertThat(tapped.lastRecord()).isEqualTo(alert);
        }
    }

    @Test
    void tls12IsSpokenOnlyWhereItIsAskedFor() throws Exception {
        SSLContext context = TestCertificates.NODE.client();
        try (NodeHarness harness = node();
                SSLSocket old = connect(harness, context, "TLSv1.2")) {
            assertThatThrownBy(old::startHandshake).isInstanceOf(IOException.class);
        }
        try (NodeHarness harness = node(files(false, true), _ -> {});
                SSLSocket old = connect(harness, context, "TLSv1.2")) {
            assertThat(new RawClient(old).exchange(get("none")).status()).isEqualTo(404);
            assertThat(old.getSession().getProtocol()).isEqualTo("TLSv1.2");
            assertThat(old.getSession().getCipherSuite())
                    .startsWith("TLS_ECDHE_")
                    .contains("_GCM_");
        }
    }

    @Test
    void whoSpeaksNoTlsIsNotAnswered() throws Exception {
        try (NodeHarness harness = node()) {
            harness.engine.load(bytes("k"), bytes("value"));
            try (RawClient plain = harness.client()) {
                plain.send(get("k"));
                assertThat(new String(plain.readToEnd())).doesNotContain("HTTP").doesNotContain("value");
            } catch (IOException _) {
                // A reset says as much.
            }
            assertThat(harness.engine.calls()).isEmpty();
            await().atMost(PATIENCE)
                    .until(() -> metrics(harness).contains("kvant_tls_handshakes_total{result=\"failed\"} 1.0"));
            assertThat(metrics(harness)).contains("kvant_connections_failed_total{cause=\"unexpected\"} 0.0");
        }
    }

    @Test
    void whoBeginsNoHandshakeLosesHisPlace() throws Exception {
        try (NodeHarness harness = node(
                        files(false, false),
                        o -> o.limits = o.limits.with(l -> l.headTimeout = Duration.ofMillis(300)));
                Socket silent = new Socket("127.0.0.1", harness.node.port())) {
            silent.setSoTimeout(60_000);
            assertThat(silent.getInputStream().readAllBytes()).isEmpty();
        }
    }

    @Test
    void whoBeginsNoHandshakeDoesNotKeepTheNodeFromItsEnd() throws Exception {
        try (NodeHarness harness = node(files(false, false), o -> {
                    o.limits = o.limits.with(l -> l.headTimeout = Duration.ofMinutes(10));
                    o.drainTimeout = Duration.ofSeconds(20);
                });
                Socket silent = new Socket("127.0.0.1", harness.node.port())) {
            await().atMost(PATIENCE).until(() -> harness.node.connections() == 1);
            harness.node.drain();
            assertThat(harness.node.connections()).isZero();
            assertThat(silent.getInputStream().readAllBytes()).isEmpty();
        }
    }

    @Test
    void onlyClientsOfTheAuthoritiesAreServed() throws Exception {
        try (NodeHarness harness = node(files(true, false), _ -> {})) {
            harness.engine.load(bytes("k"), bytes("value"));
            Identity node = TestCertificates.NODE;
            try (SSLSocket known = connect(harness, node.client(TestCertificates.CLIENT))) {
                assertThat(new RawClient(known).exchange(get("k")).text()).isEqualTo("value");
            }
            int calls = harness.engine.calls().size();
            for (SSLContext stranger : new SSLContext[] {node.client(), node.client(TestCertificates.RENEWED)}) {
                try (SSLSocket socket = connect(harness, stranger)) {
                    assertThatThrownBy(() -> new RawClient(socket).exchange(get("k")))
                            .isInstanceOf(IOException.class);
                }
            }
            assertThat(harness.engine.calls()).hasSize(calls);
        }
    }

    @Test
    void aRenewedCertificateIsShownAndOpenConnectionsGoOn() throws Exception {
        try (NodeHarness harness = node()) {
            RawClient before = client(harness);
            assertThat(before.exchange(get("none")).status()).isEqualTo(404);
            write(TestCertificates.RENEWED);
            await().atMost(PATIENCE).until(() -> {
                try (SSLSocket socket = connect(harness, TestCertificates.RENEWED.client())) {
                    socket.startHandshake();
                    return true;
                } catch (SSLException _) {
                    return false;
                }
            });
            assertThat(before.exchange(get("none")).status()).isEqualTo(404);
        }
    }

    @Test
    void aCertificateThatTurnsBadKeepsTheLastGoodOne() throws Exception {
        try (NodeHarness harness = node()) {
            write(TestCertificates.EXPIRED);
            await().atMost(PATIENCE)
                    .until(() -> metrics(harness).contains("kvant_files_stale{kind=\"certificates\"} 1.0"));
            assertThat(metrics(harness)).contains("kvant_tls_certificate_expiry_seconds 2.");
        }
    }

    @Test
    void aClientWhoReadsNothingMakesTheNodeHoldLittleOfItsAnswer() throws Exception {
        try (NodeHarness harness = node()) {
            harness.engine.load(bytes("k"), new byte[32 << 20]);
            RawClient lazy = client(harness);
            lazy.send(get("k"));
            lazy.readHead(); // the node writes until it may not hold more unsent
            String line = metrics(harness)
                    .lines()
                    .filter(each -> each.startsWith("kvant_direct_memory_bytes "))
                    .findFirst()
                    .orElseThrow();
            assertThat(Double.parseDouble(line.split(" ")[1])).isLessThan(16 << 20);
            lazy.close();
        }
    }

    @Test
    void memoryOfSecuredConnectionsIsBoundedAndGivenBack() throws Exception {
        int most = 16; // of a smaller budget a part is kept for claimants that are smaller than this
        try (NodeHarness harness = node(
                files(false, false),
                o -> o.limits = o.limits.with(l -> l.maxTlsBytes = most * TlsFront.CONNECTION_BYTES))) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < most; i++) {
                clients.add(client(harness));
                assertThat(clients.get(i).exchange(get("none")).status()).isEqualTo(404);
            }
            assertThat(harness.node.memory().tls().claimedBytes()).isEqualTo(most * TlsFront.CONNECTION_BYTES);
            try (SSLSocket further = connect(harness, TestCertificates.NODE.client())) {
                assertThatThrownBy(further::startHandshake).isInstanceOf(IOException.class);
            }
            for (RawClient client : clients) {
                client.close();
            }
            await().atMost(PATIENCE).until(() -> harness.node.memory().tls().claimedBytes() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void everyExecutorServesIt(ExecutorKind executor) throws Exception {
        write(TestCertificates.RSA);
        try (NodeHarness harness = node(files(false, true), o -> o.executor = executor)) {
            harness.engine.load(bytes("k"), bytes("value"));
            try (SSLSocket socket = connect(harness, TestCertificates.RSA.client())) {
                assertThat(new RawClient(socket).exchange(get("k")).text()).isEqualTo("value");
            }
        }
    }

    private void refused(String... words) {
        NodeOptions options =
                NodeOptions.defaults().with(o -> o.access = o.access.with(a -> a.tls = files(true, false)));
        assertThatThrownBy(() -> Node.tryFiles(options))
                .isInstanceOf(InvalidFileException.class)
                .hasMessageContainingAll(words)
                .satisfies(e -> assertThat(String.valueOf(e.getMessage())).doesNotContain("\n", "MII", "MHcC"));
    }

    @Test
    void filesThatCannotBeUsedAreExplainedInOneLine() throws Exception {
        Path key = folder.resolve("key");
        Path cert = folder.resolve("cert");
        write(TestCertificates.EXPIRED);
        refused("certificate file " + cert + ": the certificate expired at ");
        write(TestCertificates.NODE);
        Files.writeString(key, TestCertificates.RENEWED.keyPem());
        refused("key file " + key + " is not the key of the certificate in " + cert);
        Files.writeString(key, TestCertificates.RSA.keyPem());
        refused("key file " + key + " holds no key of the kind of the certificate in " + cert + " (EC)");
        Files.writeString(key, TestCertificates.NODE.keyPem().replace("PRIVATE", "ENCRYPTED PRIVATE"));
        refused("key file " + key + " is encrypted");
        Files.writeString(key, TestCertificates.NODE.keyPem().replace("PRIVATE", "EC PRIVATE"));
        refused("key file " + key + " is not PKCS#8: convert it with");
        Files.writeString(key, "nothing");
        refused("key file " + key + " holds no private key in PEM");
        Files.delete(key);
        refused("there is no key file " + key);
        Files.writeString(cert, "nothing");
        refused("certificate file " + cert + " holds no certificate");
        write(TestCertificates.NODE);
        Files.writeString(folder.resolve("clients"), "");
        refused("certificate file " + folder.resolve("clients") + " holds no certificate");
    }
}
