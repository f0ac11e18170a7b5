package kvant.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import kvant.cli.ChildNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A node serves more data than its heap could hold.
class SmallHeapTest {

    private static final int VALUES = 256;
    private static final int VALUE_BYTES = 1 << 20;

    @TempDir
    Path folder;

    @Test
    void aHeapOf128MegabytesServesTwiceAsMuchData() throws Exception {
        List<String> arguments = ChildNode.serveArguments(folder.resolve("data"), "--durability", "none");
        try (ChildNode node = ChildNode.run(List.of("-Xmx128m", "-XX:+ExitOnOutOfMemoryError"), arguments);
                HttpClient http = HttpClient.newHttpClient()) {
            node.awaitReady();
            for (int i = 0; i < VALUES; i++) {
                HttpRequest put = request(node, i)
                        .PUT(BodyPublishers.ofByteArray(value(i)))
                        .build();
                assertThat(http.send(put, BodyHandlers.discarding()).statusCode())
                        .isEqualTo(201);
            }
            for (int i = 0; i < VALUES; i++) {
                HttpRequest get = request(node, i).GET().build();
                assertThat(http.send(get, BodyHandlers.ofByteArray()).body()).isEqualTo(value(i));
            }
            assertThat(node.stop()).isZero();
        }
    }

    private static HttpRequest.Builder request(ChildNode node, int i) {
        return HttpRequest.newBuilder(URI.create(node.url() + "/v0/entity?id=" + i));
    }

    private static byte[] value(int i) {
        byte[] value = new byte[VALUE_BYTES];
        new Random(i).nextBytes(value);
        return value;
    }
}
