package kvant.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import kvant.cli.ChildNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A node serves more data than its heap could hold.
@Tag("full") // a minute and a half: nodes that run out of memory
class SmallHeapTest {

    private static final int VALUES = 256;
    private static final int VALUE_BYTES = 1 << 20;

    /// As much as a value may have, and half of the heap.
    private static final int LARGE_BYTES = 64 << 20;

    private static final List<String> SMALL = List.of("-Xmx128m", "-XX:+ExitOnOutOfMemoryError");

    /// No such value fits into it.
    private static final List<String> SMALLER = List.of("-Xmx64m", "-XX:+ExitOnOutOfMemoryError");

    @TempDir
    Path folder;

    @Test
    void aHeapOf128MegabytesServesTwiceAsMuchData() throws Exception {
        List<String> arguments = ChildNode.serveArguments(folder.resolve("data"), "--durability", "none");
        try (ChildNode node = ChildNode.run(SMALL, arguments);
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

    /// Values accepted with a large heap prevent neither the start with a small one nor the commands on the store.
    @ParameterizedTest
    @ValueSource(strings = {"4KiB", "off"})
    void aStoreOfLargeValuesOpensWithASmallHeap(String separateValues) throws Exception {
        Path data = folder.resolve("data");
        List<String> serve = ChildNode.serveArguments(data, "--lsm.separate-values", separateValues);
        List<byte[]> values = putLargeValues(serve);
        String store = data.toString();
        done("check", "--data", store);
        done("inspect", "--data", store);
        try (ChildNode node = ChildNode.run(SMALLER, serve)) {
            node.awaitReady();
            assertThat(node.stop()).isZero();
        }
        try (ChildNode node = ChildNode.run(SMALL, serve);
                HttpClient http = HttpClient.newHttpClient()) {
            node.awaitReady();
            for (int i = 0; i < values.size(); i++) {
                HttpRequest get = request(node, i).GET().build();
                assertThat(http.send(get, BodyHandlers.ofByteArray()).body()).isEqualTo(values.get(i));
            }
            assertThat(node.stop()).isZero();
        }
        String copy = folder.resolve("copy").toString();
        done("compact", "--data", store);
        done("checkpoint", "--data", store, "--to", copy);
        done("check", "--data", copy);
        assertThat(done("check", "--data", store))
                .as("files that an attempt left")
                .noneMatch(line -> line.contains("is not part of the store"));
    }

    private static List<byte[]> putLargeValues(List<String> serve) throws Exception {
        List<byte[]> values = new ArrayList<>();
        try (ChildNode node = ChildNode.run(List.of("-Xmx512m"), serve);
                HttpClient http = HttpClient.newHttpClient()) {
            node.awaitReady();
            for (int i = 0; i < 2; i++) {
                byte[] value = new byte[LARGE_BYTES];
                new Random(i).nextBytes(value);
                values.add(value);
                HttpRequest put =
                        request(node, i).PUT(BodyPublishers.ofByteArray(value)).build();
                assertThat(http.send(put, BodyHandlers.discarding()).statusCode())
                        .isEqualTo(201);
            }
            assertThat(node.stop()).isZero();
        }
        return values;
    }

    /// The JVM's last messages go to stderr, as they are not output of a command.
    @Test
    void theLastWordsOfTheJvmAreOnStderr() throws Exception {
        List<String> tiny = List.of("-Xmx6m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError");
        try (ChildNode node = ChildNode.run(tiny, ChildNode.serveArguments(folder.resolve("data")))) {
            assertThat(node.awaitExit()).isEqualTo(3);
            assertThat(node.restOfStdout()).isEmpty();
            assertThat(node.stderr()).anyMatch(line -> line.contains("java.lang.OutOfMemoryError"));
        }
        Path options = Path.of("src/main/launcher/jvm.options");
        assertThat(Files.readAllLines(options)).contains("-XX:+DisplayVMOutputToStderr");
    }

    private static List<String> done(String... command) throws Exception {
        try (ChildNode process = ChildNode.run(SMALLER, List.of(command))) {
            int code = process.awaitExit();
            List<String> said = process.stderr();
            assertThat(code).as(() -> List.of(command) + ": " + said).isZero();
            return process.restOfStdout();
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
