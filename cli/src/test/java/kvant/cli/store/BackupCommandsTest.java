package kvant.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import kvant.cli.ChildNode;
import kvant.cli.JsonSyntax;
import kvant.cli.Main;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Backups and restores by command, of real node processes and of directories without a node.
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class BackupCommandsTest {

    /// Kept out of tables once it is merged.
    private static final String LONG_VALUE = "v".repeat(5 << 10);

    @TempDir
    private static Path filled;

    @TempDir
    Path folder;

    private final NodeKeys keys = new NodeKeys();
    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    @AfterEach
    void close() {
        keys.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lsm", "rocksdb"})
    void aBackupOfAServingNodeHoldsAllThatWasAcknowledgedBefore(String engine) throws Exception {
        Path data = folder.resolve("data");
        Map<String, Integer> before;
        try (ChildNode node = ChildNode.serve(data, "--engine", engine);
                NodeKeys.Writing writing = keys.writing(node)) {
            keys.put(node, "long", LONG_VALUE);
            assertThat(kvant("backup", "create", "--data", data.toString(), "--target", place()))
                    .as(err.toString())
                    .isZero();
            assertThat(kvant("compact", "--data", data.toString())).isZero();
            before = writing.acknowledged();

            assertThat(kvant("backup", "create", "--data", data.toString(), "--target", place(), "--keep", "1"))
                    .as(err.toString())
                    .isZero();

            assertThat(out.toString()).contains("backup ", " copied ", "deleted ");
            writing.stop();
            assertThat(node.stop()).isZero();
        }
        assertThat(data.resolve("backup"))
                .isDirectoryNotContaining(file -> !file.endsWith("LOCK") && !file.endsWith("LAST"));
        assertThat(kvant(
                        "restore",
                        "--from",
                        place(),
                        "--to",
                        folder.resolve("again").toString()))
                .as(out.toString() + err)
                .isZero();
        assertThat(out.toString()).contains("restored backup", "sound");
        assertThat(Trees.files(folder.resolve("again"), ".values")).hasSize(engine.equals("lsm") ? 1 : 0);
        try (ChildNode node = ChildNode.serve(folder.resolve("again"), "--engine", engine)) {
            keys.assertThatHolds(node, before);
            assertThat(keys.get(node, "long")).isEqualTo(LONG_VALUE);
            assertThat(node.stop()).isZero();
        }
    }

    @Test
    void tablesOfAnEarlierBackupAreNotCopiedAgain() throws Exception {
        Path data = folder.resolve("data");
        fill(data);
        assertThat(kvant("compact", "--data", data.toString())).isZero();
        assertThat(kvant("backup", "create", "--data", data.toString(), "--target", place()))
                .isZero();

        assertThat(kvant("backup", "create", "--data", data.toString(), "--target", place()))
                .isZero();

        String line = out.toString();
        long copied = Long.parseLong(line.replaceFirst("(?s).*copied (\\d+) files.*", "$1"));
        assertThat(copied).as(line).isLessThanOrEqualTo(1); // the manifest of the checkpoint
        assertThat(kvant("backup", "list", "--target", place())).isZero();
        assertThat(out.toString().lines()).hasSize(3);
        assertThat(kvant("backup", "list", "--target", place(), "--format", "json"))
                .isZero();
        assertThat(JsonSyntax.isJson(out.toString())).isTrue();
        assertThat(kvant("backup", "verify", "--target", place())).isZero();
        assertThat(out.toString()).contains("sound: 2 backups");
        assertThat(kvant("backup", "delete", "--target", place(), "--keep", "1"))
                .isZero();
        assertThat(out.toString()).contains("deleted 2");
    }

    @Test
    void aBackupThatCannotBeMadeDeletesNone() throws Exception {
        Path data = folder.resolve("data");
        fill(data);
        for (int i = 0; i < 2; i++) {
            assertThat(kvant("backup", "create", "--data", data.toString(), "--target", place()))
                    .isZero();
        }
        Files.delete(data.resolve("lsm/MANIFEST"));

        refused(1, "MANIFEST", "backup", "create", "--data", data + "", "--target", place(), "--keep", "2");

        assertThat(kvant("backup", "verify", "--target", place())).isZero();
        assertThat(out.toString()).contains("sound: 2 backups");
    }

    /// Also of a backup that it did not serve, after a restart, and in a store that was restored.
    @Test
    void aNodeTellsWhatIsInABackupAndAFailedOneDoesNotCount() throws Exception {
        Path data = folder.resolve("data");
        double served;
        try (ChildNode node = ChildNode.serve(data)) {
            assertThat(lastBackup(node)).isZero();
            double before = seconds();
            backUp(data);
            served = lastBackup(node);
            assertThat(served).isBetween(before, seconds());

            Path unusable = Files.createDirectory(folder.resolve("unusable"));
            Files.createFile(unusable.resolve("files"));
            refused(1, "backups in", "backup", "create", "--data", data + "", "--target", unusable.toString());
            assertThat(lastBackup(node)).isEqualTo(served);
            assertThat(node.stop()).isZero();
        }
        try (ChildNode node = ChildNode.serve(data)) {
            assertThat(lastBackup(node)).isEqualTo(served);
            assertThat(node.stop()).isZero();
        }
        double before = seconds();
        backUp(data);
        Path again = folder.resolve("again");
        assertThat(kvant("restore", "--target", place(), "--data", again.toString()))
                .as(err.toString())
                .isZero();
        try (ChildNode node = ChildNode.serve(data);
                ChildNode restored = ChildNode.serve(again)) {
            assertThat(lastBackup(node)).isBetween(before, seconds());
            assertThat(lastBackup(restored)).isEqualTo(lastBackup(node));
            assertThat(node.stop()).isZero();
            assertThat(restored.stop()).isZero();
        }
    }

    private void backUp(Path data) {
        assertThat(kvant("backup", "create", "--data", data.toString(), "--target", place()))
                .as(err.toString())
                .isZero();
    }

    /// Whole milliseconds, as the node tells it.
    private static double seconds() {
        return System.currentTimeMillis() / 1e3;
    }

    private static double lastBackup(ChildNode node) throws IOException {
        String name = "kvant_backup_last_success_timestamp_seconds ";
        try (InputStream page = URI.create(node.url() + "/metrics").toURL().openStream()) {
            return new String(page.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(name))
                    .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void aDamagedBackupIsNamedAndNotRestored() throws Exception {
        Path data = folder.resolve("data");
        fill(data);
        assertThat(kvant("backup", "create", "--data", data.toString(), "--target", place()))
                .isZero();
        Path largest;
        try (var files = Files.list(Path.of(place(), "files"))) {
            largest = files.max((a, b) ->
                            Long.compare(a.toFile().length(), b.toFile().length()))
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(largest);
        bytes[bytes.length / 2] ^= 1;
        Files.write(largest, bytes);

        assertThat(kvant("backup", "verify", "--target", place())).isEqualTo(1);
        assertThat(out.toString()).contains(largest.toString(), "is damaged", "no good for backup", "1 problem");
        assertThat(kvant(
                        "restore",
                        "--from",
                        place(),
                        "--to",
                        folder.resolve("again").toString()))
                .isEqualTo(1);
        assertThat(err.toString().lines()).singleElement().asString().contains(largest.toString(), "is damaged");
        assertThat(folder.resolve("again")).doesNotExist();
    }

    @Test
    void whatCannotBeDoneIsOneLine() throws Exception {
        Path data = folder.resolve("data");
        fill(data);
        refused(1, "no data directory", "backup", "create", "--data", folder + "/none", "--target", place());
        refused(1, "there is no directory", "backup", "list", "--target", place());
        refused(2, "at least 1", "backup", "create", "--data", data + "", "--target", place(), "--keep", "0");
        refused(2, "--target", "backup", "create", "--data", data.toString());
        refused(2, "a command is needed", "backup");
        refused(1, "s3://BUCKET", "backup", "list", "--target", "s3://A B");
        assertThat(kvant("backup", "create", "--data", data.toString(), "--target", place()))
                .isZero();
        refused(1, "is not empty", "restore", "--target", place(), "--to", data.toString());
        refused(1, "there is no backup", "restore", "--from", place(), "--to", folder + "/a", "--backup", "x");
        refused(2, "holds no archive: '--at'", "restore", "--from", place(), "--to", folder + "/a", "--latest");
        Files.writeString(Path.of(place(), "lock"), "host=elsewhere\nprocess=1\nsince=then\n");
        refused(1, "--take-lock", "backup", "create", "--data", data.toString(), "--target", place());
        assertThat(kvant("backup", "create", "--data", data.toString(), "--target", place(), "--take-lock"))
                .isZero();
    }

    @Test
    void aPlaceWithoutBackupsIsSaidToHaveNone() throws IOException {
        Files.createDirectory(folder.resolve("backups"));

        refused(0, "no backups in " + place(), "backup", "list", "--target", place());
        assertThat(out.toString()).isEmpty();
        assertThat(kvant("backup", "list", "--target", place(), "--format", "json"))
                .isZero();
        assertThat(err.toString()).isEmpty();
        refused(2, "'--target' needs a value", "backup", "list", "--target", "");
    }

    private void refused(int code, String reason, String... line) {
        assertThat(kvant(line)).as(String.join(" ", line) + err).isEqualTo(code);
        assertThat(err.toString().lines()).singleElement().asString().contains(reason);
    }

    private String place() {
        return folder.resolve("backups").toString();
    }

    /// A node fills a store once; others are copies.
    private void fill(Path data) throws Exception {
        Path once = filled.resolve("data");
        if (Files.notExists(once)) {
            try (ChildNode node = ChildNode.serve(once)) {
                for (int i = 0; i < 50; i++) {
                    keys.put(node, "k" + i, "value ".repeat(200) + i);
                }
                assertThat(node.stop()).isZero();
            }
        }
        Trees.copy(once, data);
    }

    private int kvant(String... arguments) {
        out = new StringWriter();
        err = new StringWriter();
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }
}
