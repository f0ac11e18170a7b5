package kvant.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import kvant.cli.ChildNode;
import kvant.cli.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Disclosure by a real node: host names, keys of slow requests, and the paths of its files.
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class ExposureTest {

    private static final int KEYS = 200;

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void aNodeAnswersToTheNamesThatItWasGiven() throws Exception {
        try (ChildNode node =
                ChildNode.serve(folder.resolve("data"), "--allowed-hosts", "kvant.example,Other.example")) {
            for (String served :
                    new String[] {"localhost", "127.0.0.1:1", "[::1]", "kvant.example:8080", "other.EXAMPLE"}) {
                assertThat(get(node, "/livez", served)).as(served).startsWith("HTTP/1.1 200");
            }
            assertThat(get(node, "/livez", "rebound.example")).startsWith("HTTP/1.1 421");
            assertThat(node.stop()).isZero();
        }
        assertThat(execute("serve", "--allowed-hosts", "*.example")).isEqualTo(2);
        assertThat(err.toString()).contains("an allowed host is a name").contains("'*.example'");
    }

    @Test
    void slowRequestsAreToldThroughTheDirectoryAndOnThePortOnlyWhereAskedFor() throws Exception {
        Path data = folder.resolve("data");
        try (ChildNode node = ChildNode.serve(data)) {
            get(node, "/v0/entity/slow-key", "localhost");
            assertThat(execute("slow", "--data", data.toString())).isZero();
            assertThat(out.toString()).startsWith("ended").contains("slow-key");
            out.getBuffer().setLength(0);
            assertThat(execute("slow", "--data", data.toString(), "--format", "json"))
                    .isZero();
            assertThat(out.toString()).startsWith("{").contains("\"key\": \"slow-key\"");

            assertThat(get(node, "/debug/slow", "localhost"))
                    .startsWith("HTTP/1.1 404")
                    .doesNotContain("slow-key");
            assertThat(execute("slow", "--url", node.url())).isEqualTo(1);
            assertThat(err.toString()).contains("--debug-page");
            assertThat(node.stop()).isZero();
        }
        err.getBuffer().setLength(0);
        assertThat(execute("slow", "--data", data.toString())).isEqualTo(1);
        assertThat(err.toString().lines()).singleElement().asString().contains("no node serves " + data);

        try (ChildNode node = ChildNode.serve(data, "--debug-page")) {
            get(node, "/v0/entity/slow-key", "localhost");
            out.getBuffer().setLength(0);
            assertThat(execute("slow", "--url", node.url())).isZero();
            assertThat(out.toString()).startsWith("ended").contains("slow-key");
            assertThat(node.stop()).isZero();
        }
    }

    @Test
    void tokensWithoutTlsBeyondLoopbackAreWarnedOf() throws Exception {
        String tokens = folder.resolve("tokens").toString();
        assertThat(execute("token", "new", "app", "--scope", "read", "--tokens", tokens))
                .isZero();
        for (String host : new String[] {"127.0.0.1", "0.0.0.0"}) {
            try (ChildNode node = ChildNode.serve(folder.resolve(host), "--host", host, "--tokens", tokens)) {
                assertThat(node.stop()).isZero();
                assertThat(node.stderr().stream().anyMatch(line -> line.contains("cross the network unencrypted")))
                        .as(host)
                        .isEqualTo(host.equals("0.0.0.0"));
            }
        }
    }

    @Test
    void aDamagedTableIsNamedAndNotTheDirectory() throws Exception {
        Path data = folder.resolve("secret place").resolve("data");
        try (ChildNode node = ChildNode.serve(data)) {
            for (int i = 0; i < KEYS; i++) {
                assertThat(put(node, "/v0/entity/k" + i, "x".repeat(1000))).startsWith("HTTP/1.1 201");
            }
            assertThat(node.stop()).isZero();
        }
        assertThat(execute("compact", "--data", data.toString()))
                .as(err.toString())
                .isZero();
        damage(data);
        try (ChildNode node = ChildNode.serve(data)) {
            String refused = "";
            for (int i = 0; i < KEYS; i++) {
                String answer = get(node, "/v0/entity/k" + i, "localhost");
                refused = answer.startsWith("HTTP/1.1 500") ? answer : refused;
            }
            assertThat(refused).contains(".table is damaged at offset").doesNotContain("place/data");
            assertThat(get(node, "/readyz?verbose", "localhost"))
                    .contains("reads: ")
                    .doesNotContain("place/data");
            assertThat(node.stop()).isZero();
        }
    }

    /// Changes a byte in the middle of the largest table.
    private static void damage(Path data) throws IOException {
        Path largest;
        try (Stream<Path> files = Files.walk(data)) {
            largest = files.filter(file -> file.toString().endsWith(".table"))
                    .max((a, b) -> Long.compare(a.toFile().length(), b.toFile().length()))
                    .orElseThrow();
        }
        try (FileChannel file = FileChannel.open(largest, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            file.read(one, file.size() / 2);
            one.flip();
            file.write(ByteBuffer.wrap(new byte[] {(byte) ~one.get(0)}), file.size() / 2);
        }
    }

    private int execute(String... arguments) {
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    private static String get(ChildNode node, String path, String host) throws IOException {
        return answer(node, "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
    }

    private static String put(ChildNode node, String path, String value) throws IOException {
        return answer(
                node,
                "PUT " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: " + value.length()
                        + "\r\n\r\n" + value);
    }

    private static String answer(ChildNode node, String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", node.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }
}
