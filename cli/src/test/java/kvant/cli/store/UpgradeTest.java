package kvant.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import kvant.cli.ChildNode;
import kvant.cli.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Stores of earlier versions, as they are checked in, under today's commands. The way back is that of [DowngradeTest].
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class UpgradeTest {

    private static final Path GOLDEN =
            Path.of("..", "engine-lsm", "src", "test", "resources", "golden").toAbsolutePath();

    @TempDir
    Path folder;

    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    @Test
    void aStoreOfTheFirstVersionIsServedCheckedBackedUpAndCompacted() throws Exception {
        Path old = copy("v1/store", "old");
        Path backups = folder.resolve("backups");
        assertThat(tableVersions(old)).containsOnly(1);
        assertThat(kvant("check", "--data", old.toString())).as(out.toString()).isZero();
        String content = content(copy("v3/store", "new"));
        assertThat(content.lines()).hasSizeGreaterThan(10);

        assertThat(content(old)).isEqualTo(content);
        assertThat(kvant("backup", "create", "--data", old.toString(), "--target", backups.toString()))
                .as(err.toString())
                .isZero();
        assertThat(kvant("compact", "--data", old.toString()))
                .as(err.toString())
                .isZero();

        assertThat(tableVersions(old)).as("tables are written anew").containsOnly(2);
        assertThat(content(old)).isEqualTo(content);
        assertThat(kvant("check", "--data", old.toString())).as(out.toString()).isZero();
        Path back = folder.resolve("back");
        assertThat(kvant("restore", "--target", backups.toString(), "--to", back.toString()))
                .as(out.toString() + err)
                .isZero();
        assertThat(content(back)).isEqualTo(content);
    }

    /// Its manifest does not tell where its logs end: this version adds that when it stops.
    @ParameterizedTest
    @ValueSource(strings = {"v2/store", "v2/values-store"})
    void aStoreOfTheSecondVersionIsServedAndItsLastLogIsGuardedFromThenOn(String golden) throws Exception {
        Path old = copy(golden, "old");
        assertThat(kvant("check", "--data", old.toString())).as(out.toString()).isZero();
        content(old);
        assertThat(kvant("check", "--data", old.toString())).as(out.toString()).isZero();

        Path log = newestLog(old);
        byte[] whole = Files.readAllBytes(log);
        Files.write(log, Arrays.copyOf(whole, whole.length - 1));
        assertThat(kvant("check", "--data", old.toString())).isEqualTo(1);
        assertThat(out.toString()).contains(log.getFileName().toString(), "was finished with " + whole.length);
    }

    private static Path newestLog(Path data) throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("lsm"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }

    private Path copy(String golden, String name) throws IOException {
        Path to = folder.resolve(name);
        Trees.copy(GOLDEN.resolve(golden), to);
        return to;
    }

    private static List<Integer> tableVersions(Path data) throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("lsm"))) {
            List<Path> tables =
                    files.filter(file -> file.toString().endsWith(".table")).toList();
            List<Integer> versions = new ArrayList<>();
            for (Path table : tables) {
                versions.add(ByteBuffer.wrap(Files.readAllBytes(table))
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .getInt(8));
            }
            return versions;
        }
    }

    private static String content(Path data) throws Exception {
        try (ChildNode node = ChildNode.serve(data);
                HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest all = HttpRequest.newBuilder(URI.create(node.url() + "/v0/entities?start=%00"))
                    .header("Accept", "application/x-ndjson")
                    .build();
            String content =
                    http.send(all, HttpResponse.BodyHandlers.ofString()).body();
            assertThat(node.stop()).isZero();
            return content;
        }
    }

    private int kvant(String... arguments) {
        out = new StringWriter();
        err = new StringWriter();
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }
}
