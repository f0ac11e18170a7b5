package kvant.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import kvant.cli.ChildNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Direct memory is bounded, and connections beyond the bound are closed instead of waiting.
class DirectMemoryTest {

    private static final int CLIENTS = 100;

    @TempDir
    Path folder;

    @Test
    void itIsBoundedBelowWhereTheJvmWouldWait() throws Exception {
        try (ChildNode node = ChildNode.run(List.of("-Xmx128m"), ChildNode.serveArguments(folder.resolve("data")))) {
            node.awaitReady();
            try (Socket client = new Socket("127.0.0.1", node.port())) {
                String figure = answer(client, "/metrics")
                        .lines()
                        .filter(line -> line.startsWith("kvant_direct_memory_max_bytes "))
                        .findFirst()
                        .orElseThrow();
                assertThat(Double.parseDouble(figure.substring(figure.indexOf(' '))))
                        .isEqualTo(96 << 20);
            }
        }
    }

    /// The event loops have what they need, and there is no room for the first chunk of buffers. By io_uring a node
    /// does not start then: its receive rings are of that chunk.
    @Test
    void withoutItConnectionsAreClosedAtOnceAndOneLineSaysSo() throws Exception {
        try (ChildNode node = ChildNode.run(
                List.of("-Dio.netty.maxDirectMemory=500000"),
                ChildNode.serveArguments(folder.resolve("data"), "--event-loops", "2", "--transport", "epoll"))) {
            node.awaitReady();
            for (int i = 0; i < CLIENTS; i++) {
                try (Socket client = new Socket("127.0.0.1", node.port())) {
                    assertThat(answer(client, "/livez")).isEmpty();
                }
            }
            assertThat(node.stop()).isZero();
            assertThat(node.stderr()).hasSize(1);
            assertThat(node.stderr().getFirst()).contains("no memory for a connection");
        }
    }

    private static String answer(Socket client, String path) throws IOException {
        client.setSoTimeout(20_000);
        client.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        InputStream in = client.getInputStream();
        try {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException _) { // a reset
            return "";
        }
    }
}
