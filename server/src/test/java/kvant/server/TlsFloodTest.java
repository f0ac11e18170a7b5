package kvant.server;

import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import kvant.server.http.tls.TlsContext.TlsFiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Records of TLS that hold nothing are bounded, and those with data are not.
@Timeout(180)
class TlsFloodTest {

    private static final String FLOODS = "kvant_tls_floods_total ";

    @TempDir
    Path folder;

    @BeforeEach
    void writeFiles() throws IOException {
        Files.writeString(folder.resolve("key"), TestCertificates.NODE.keyPem());
        Files.writeString(folder.resolve("cert"), TestCertificates.NODE.certificatePem());
        Files.writeString(folder.resolve("clients"), TestCertificates.CLIENT.certificatePem());
    }

    private NodeHarness node(boolean clients) {
        TlsFiles files = new TlsFiles(
                folder.resolve("cert"), folder.resolve("key"), clients ? folder.resolve("clients") : null, false);
        return new NodeHarness(options ->
                options.withExecutor(ExecutorKind.ADAPTIVE).with(o -> o.access = o.access.with(a -> a.tls = files)));
    }

    private static SSLSocket connect(NodeHarness harness, SSLContext context) throws IOException {
        return (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", harness.node.port());
    }

    /// After the first handshake of TLS 1.3, each further one of the JDK is a change of keys that asks for one in
    /// return.
    private static void changeKeys(SSLSocket socket, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            socket.startHandshake();
        }
    }

    private static String floods(NodeHarness harness) throws IOException {
        try (SSLSocket socket = connect(harness, TestCertificates.NODE.client())) {
            return new RawClient(socket)
                    .exchange("GET /metrics HTTP/1.1\r\nHost: h\r\n\r\n")
                    .text()
                    .lines()
                    .filter(line -> line.startsWith(FLOODS))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void whoChangesKeysOverAndOverIsCutOff() throws Exception {
        try (NodeHarness harness = node(false);
                SSLSocket socket = connect(harness, TestCertificates.NODE.client())) {
            RawClient client = new RawClient(socket);
            changeKeys(socket, 500);
            assertThat(client.exchange(get("none")).status()).isEqualTo(404);
            assertThatThrownBy(() -> changeKeys(socket, 100_000)).isInstanceOf(IOException.class);
            await().atMost(Duration.ofSeconds(60)).until(() -> harness.node.connections() == 0);
            assertThat(floods(harness)).isEqualTo(FLOODS + "1.0");
        }
    }

    @Test
    void whoSendsEachByteInARecordOfItsOwnIsServed() throws Exception {
        int requests = 200;
        try (NodeHarness harness = node(false);
                SSLSocket socket = connect(harness, TestCertificates.NODE.client())) {
            RawClient client = new RawClient(socket);
            for (int i = 0; i < requests; i++) {
                for (byte each : get("none").getBytes(StandardCharsets.US_ASCII)) {
                    client.send(new byte[] {each});
                }
            }
            for (int i = 0; i < requests; i++) {
                assertThat(client.read().status()).isEqualTo(404);
            }
            assertThat(floods(harness)).isEqualTo(FLOODS + "0.0");
        }
    }

    /// The node has the records before it has judged the certificate.
    @Test
    void aBodyInSmallRecordsMayFollowTheHandshakeAtOnce() throws Exception {
        byte[] request = put("k", "x".repeat(100_000)).getBytes(StandardCharsets.US_ASCII);
        int part = 20;
        try (NodeHarness harness = node(true);
                SSLSocket socket = connect(harness, TestCertificates.NODE.client(TestCertificates.CLIENT))) {
            RawClient client = new RawClient(socket);
            for (int at = 0; at < request.length; at += part) {
                socket.getOutputStream().write(request, at, Math.min(part, request.length - at));
            }
            assertThat(client.read().status()).isEqualTo(201);
        }
    }
}
