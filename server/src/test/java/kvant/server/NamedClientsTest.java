package kvant.server;

import static kvant.server.NodeHarness.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import kvant.server.http.tls.TlsContext.TlsFiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The audit log names clients by their certificates, and what comes by the control socket.
@Timeout(180)
class NamedClientsTest {

    private static final String SUBJECT = " subject=\"CN=one?? token?=boss,O=Some Clients\"";

    @TempDir
    Path folder;

    @BeforeEach
    void writeFiles() throws IOException {
        Files.writeString(folder.resolve("cert"), TestCertificates.NODE.certificatePem());
        Files.writeString(folder.resolve("key"), TestCertificates.NODE.keyPem());
        Files.writeString(folder.resolve("clients"), TestCertificates.CLIENT.certificatePem());
        Files.writeString(folder.resolve("tokens"), "");
    }

    private NodeHarness node(boolean clients, boolean tokens) {
        TlsFiles files = new TlsFiles(
                folder.resolve("cert"), folder.resolve("key"), clients ? folder.resolve("clients") : null, false);
        return new NodeHarness(options -> options.withExecutor(ExecutorKind.ADAPTIVE)
                .with(o -> {
                    o.respPort = 0;
                    o.access = o.access.with(a -> {
                        a.tls = files;
                        a.tokens = tokens ? folder.resolve("tokens") : null;
                    });
                }));
    }

    private static SSLSocket connect(int port, boolean named) throws IOException {
        SSLContext context =
                named ? TestCertificates.NODE.client(TestCertificates.CLIENT) : TestCertificates.NODE.client();
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static String from(SSLSocket socket) {
        return " token=- from=127.0.0.1:" + socket.getLocalPort();
    }

    @Test
    void aClientWithACertificateIsNamedByIt() throws Exception {
        try (LoggedLines audit = new LoggedLines("kvant.audit");
                NodeHarness harness = node(true, false);
                SSLSocket socket = connect(harness.node.port(), true);
                RawClient client = new RawClient(socket)) {
            for (String request : List.of("GET /metrics", "PUT /v0/read-only", "DELETE /v0/read-only")) {
                assertThat(client.exchange(request + " HTTP/1.1\r\nHost: h\r\n\r\n")
                                .status())
                        .isEqualTo(200);
            }
            assertThat(client.exchange(get("k")).status()).isEqualTo(404);

            assertThat(audit.lines())
                    .containsExactly(
                            "administrative GET /metrics" + from(socket) + SUBJECT,
                            "administrative PUT /v0/read-only" + from(socket) + SUBJECT,
                            "administrative DELETE /v0/read-only" + from(socket) + SUBJECT);
        }
    }

    @Test
    void whoIsRefusedIsNamedByHisCertificateToo() throws Exception {
        try (LoggedLines audit = new LoggedLines("kvant.audit");
                NodeHarness harness = node(true, true);
                SSLSocket socket = connect(harness.node.port(), true);
                RawClient client = new RawClient(socket);
                SSLSocket redis = connect(harness.node.respPort(), true);
                RawClient resp = new RawClient(redis)) {
            assertThat(client.exchange(get("secret-key")).status()).isEqualTo(401);
            resp.send(RespClient.command("AUTH wrong"));
            assertThat(new String(resp.readFully(10))).isEqualTo("-WRONGPASS");

            assertThat(audit.lines())
                    .containsExactly(
                            "refused GET /v0/entity" + from(socket) + SUBJECT + " reason=no-token",
                            "refused RESP AUTH" + from(redis) + SUBJECT + " reason=wrong-token");
        }
    }

    @Test
    void aClientWithoutACertificateHasNoSuchName() throws Exception {
        try (LoggedLines audit = new LoggedLines("kvant.audit");
                NodeHarness harness = node(false, true);
                SSLSocket socket = connect(harness.node.port(), false);
                RawClient client = new RawClient(socket)) {
            assertThat(client.exchange(get("k")).status()).isEqualTo(401);
            assertThat(audit.lines()).containsExactly("refused GET /v0/entity" + from(socket) + " reason=no-token");
        }
    }

    /// The node has neither tokens nor certificates there: access to the socket makes a user its operator.
    @Test
    void whatComesByTheControlSocketIsTold() throws IOException {
        try (LoggedLines audit = new LoggedLines("kvant.audit");
                NodeHarness harness = NodeHarness.async()) {
            for (int i = 0; i < 2; i++) {
                harness.node.told("inspect", "", false);
                harness.node.told("checkpoint", "/a place\n\"of\" its own", true);
            }
            String checkpoint = "administrative checkpoint \"/a place??of? its own\" token=- from=control";
            assertThat(audit.lines())
                    .containsExactly("administrative inspect token=- from=control", checkpoint, checkpoint);
        }
    }
}
