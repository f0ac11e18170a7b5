package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import kvant.server.access.Scope;
import kvant.server.access.TokenFile;
import kvant.server.access.TokenSecret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A node that is asked about itself at another place than for keys.
@Timeout(120)
class AdminListenerTest {

    private static final List<String> ABOUT_THE_NODE = List.of(request("/metrics"), request("/debug/slow"));
    private static final List<String> PROBES = List.of(request("/livez"), request("/readyz"), request("/v0/status"));

    @TempDir
    Path folder;

    private static String request(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n";
    }

    private static NodeHarness node(Consumer<AccessOptions.Draft> access) {
        return new NodeHarness(options -> options.withExecutor(ExecutorKind.ADAPTIVE)
                .with(o -> o.slowPage = true)
                .with(o -> o.access = o.access.with(access)));
    }

    private static RawClient admin(NodeHarness harness) throws IOException {
        return new RawClient(URI.create(harness.node.adminUrls().getFirst()).getPort());
    }

    @Test
    void eachPortHasItsOwnPathsAlone() throws Exception {
        try (NodeHarness harness = node(a -> a.adminPort = 0);
                RawClient admin = admin(harness)) {
            harness.engine.load(bytes("k"), bytes("value"));
            RawClient client = harness.client();
            assertThat(client.exchange(get("k")).text()).isEqualTo("value");
            for (String request : ABOUT_THE_NODE) {
                assertThat(client.exchange(request).status()).as(request).isEqualTo(404);
                assertThat(admin.exchange(request).status()).as(request).isEqualTo(200);
            }
            for (String request : List.of(get("k"), put("k", "x"), request("/v0/entities?start=a"))) {
                assertThat(admin.exchange(request).status()).as(request).isEqualTo(404);
            }
            for (String request : PROBES) {
                assertThat(client.exchange(request).status()).as(request).isEqualTo(200);
                assertThat(admin.exchange(request).status()).as(request).isEqualTo(200);
            }
            assertThat(harness.engine.stored(bytes("k"))).isEqualTo(bytes("value"));
        }
    }

    @Test
    void theAdministrativePortAsksForTheScope() throws Exception {
        Path file = folder.resolve("tokens");
        String admin = TokenSecret.generate(new SecureRandom());
        String reader = TokenSecret.generate(new SecureRandom());
        Files.write(
                file,
                List.of(
                        TokenFile.line("admin", EnumSet.of(Scope.ADMIN), admin, 0),
                        TokenFile.line("reader", EnumSet.of(Scope.READ), reader, 0)));
        try (NodeHarness harness = node(a -> {
                    a.adminPort = 0;
                    a.tokens = file;
                });
                RawClient client = admin(harness)) {
            for (String request : ABOUT_THE_NODE) {
                assertThat(client.exchange(request).status()).isEqualTo(401);
                assertThat(client.exchange(with(reader, request)).status()).isEqualTo(403);
                assertThat(client.exchange(with(admin, request)).status()).isEqualTo(200);
            }
        }
    }

    private static String with(String secret, String request) {
        return request.replace("Host: h\r\n", "Host: h\r\nAuthorization: Bearer " + secret + "\r\n");
    }

    @Test
    void aCrowdOfClientsKeepsNobodyFromLookingAtTheNode() throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> {
                    o.limits = o.limits.with(l -> l.maxConnections = 1);
                    o.access = o.access.with(a -> a.adminPort = 0);
                }));
                RawClient first = harness.client();
                RawClient second = harness.client()) {
            first.send("PUT /v0/entity?id=k HTTP/1.1\r\n"); // both are busy with a head
            second.send("PUT /v0/entity?id=k HTTP/1.1\r\n");
            try (RawClient admin = admin(harness)) {
                assertThat(admin.exchange(request("/metrics")).status()).isEqualTo(200);
            }
        }
    }

    /// Connects as any local client does.
    private static String overSocket(Path path, String request) throws IOException {
        try (SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            String closing = request.replace("Host: h", "Host: h\r\nConnection: close");
            socket.write(ByteBuffer.wrap(closing.getBytes(StandardCharsets.US_ASCII)));
            return new String(Channels.newInputStream(socket).readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void theSocketIsTheOwnersAloneAndNeedsNoToken() throws Exception {
        Path tokens = Files.createFile(folder.resolve("tokens"));
        Path path = folder.resolve("admin");
        try (NodeHarness harness = node(a -> {
            a.tokens = tokens;
            a.adminSocket = path;
        })) {
            assertThat(harness.node.adminUrls()).containsExactly("unix:" + path);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rw-------");
            try (Stream<Path> files = Files.list(folder)) {
                assertThat(files).as("nothing of the making is left").containsExactlyInAnyOrder(tokens, path);
            }
            for (String request : ABOUT_THE_NODE) {
                assertThat(overSocket(path, request)).startsWith("HTTP/1.1 200");
                assertThat(harness.client().exchange(request).status()).isIn(404, 401);
            }
            assertThat(overSocket(path, get("k"))).startsWith("HTTP/1.1 404");
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void aSocketThatIsLeftOverIsReplacedAndNothingElse() throws Exception {
        Path path = folder.resolve("admin");
        try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            killed.bind(UnixDomainSocketAddress.of(path));
        }
        assertThat(path).exists();
        try (NodeHarness _ = node(a -> a.adminSocket = path)) {
            assertThat(overSocket(path, request("/metrics"))).startsWith("HTTP/1.1 200");
            assertThatThrownBy(() -> node(a -> a.adminSocket = path))
                    .hasRootCauseMessage("another process listens there");
            assertThat(overSocket(path, request("/livez"))).startsWith("HTTP/1.1 200");
        }
        Files.writeString(path, "a file");
        assertThatThrownBy(() -> node(a -> a.adminSocket = path))
                .hasRootCauseMessage("there is a file of this name that is no socket");
        assertThat(path).hasContent("a file");
    }
}
