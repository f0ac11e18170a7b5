package kvant.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import kvant.cli.ChildNode;
import kvant.cli.Main;
import kvant.lsm.bytes.Checksum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Files written by a later version of Kvant are refused as docs/run.md promises: one line names the file and both
/// versions, and files stay as they are. The versions that this one knows are those of the document.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DowngradeTest {

    private static final Path GOLDEN = Path.of("..", "engine-lsm", "src", "test", "resources", "golden", "v3")
            .toAbsolutePath();
    private static final Path DOCUMENT = Path.of("..", "docs", "run.md");
    private static final Pattern VERSIONS =
            Pattern.compile(" has (?:format version|layout) (\\d+), this version (?:of Kvant )?knows (?:layout )?(\\d+)"
                    + ": use the version that wrote it(;.*)?$");

    private static final int VERSION_AT = 8;
    private static final long HEADER_SEED = 0x6865616465720000L;
    private static final long FOOTER_SEED = 0x666F6F7465720000L;
    private static final int TABLE_FOOTER_BYTES = 64;

    @TempDir
    Path folder;

    private String err = "";

    private int kvant(String... arguments) {
        StringWriter said = new StringWriter();
        int exitCode = Main.execute(new PrintWriter(new StringWriter()), new PrintWriter(said, true), arguments);
        err = said.toString().strip();
        return exitCode;
    }

    /// Every command that opens the store says the same.
    ///
    /// @param options of a start
    private void refused(Path data, String file, String kind, String... options) throws IOException {
        Map<String, String> before = files(data);
        List<String> serve = new ArrayList<>(List.of("serve", "--data", data.toString()));
        serve.addAll(List.of(options));
        for (List<String> command : List.of(serve, List.of("compact", "--data", data.toString()))) {
            assertThat(kvant(command.toArray(String[]::new)))
                    .as(command + ": " + err)
                    .isEqualTo(1);
            assertThat(err).as(command.toString()).doesNotContain("\n").contains(file);
            assertVersions(kind);
        }
        Map<String, String> after = files(data);
        if (!kind.equals("MANIFEST") && !kind.equals("EXPIRY")) { // a known one may be rewritten, with the same content
            before.remove("lsm/MANIFEST");
            after.remove("lsm/MANIFEST");
        }
        assertThat(after).isEqualTo(before);
    }

    private void assertVersions(String kind) throws IOException {
        Matcher versions = VERSIONS.matcher(err);
        assertThat(versions.find()).as(err).isTrue();
        assertThat(Integer.parseInt(versions.group(1))).as(err).isEqualTo(Integer.parseInt(versions.group(2)) + 1);
        assertThat(versions.group(2))
                .as("what the document says of " + kind)
                .isEqualTo(documented().get(kind));
    }

    /// Kinds of files, and the version of this Kvant.
    private static Map<String, String> documented() throws IOException {
        String document = Files.readString(DOCUMENT);
        String chapter =
                document.substring(document.indexOf("## Upgrade and downgrade"), document.indexOf("## Checking"));
        return Pattern.compile("(?m)^\\| ([^|]+?) \\| (\\d+) \\| [^|]+\\|$")
                .matcher(chapter)
                .results()
                .collect(Collectors.toMap(row -> row.group(1).replace("`", ""), row -> row.group(2)));
    }

    /// But for the lock, which tells who looked.
    private static Map<String, String> files(Path data) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> tree = Files.walk(data)) {
            for (Path file : tree.filter(Files::isRegularFile).toList()) {
                if (!file.endsWith("LOCK")) {
                    files.put(data.relativize(file).toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
                }
            }
        }
        return files;
    }

    private Path store() throws IOException {
        Path data = folder.resolve("data");
        Trees.copy(GOLDEN.resolve("values-store"), data);
        return data;
    }

    /// @param checksumAt of the header, which covers what is before it; 0 where there is none
    @ParameterizedTest
    @CsvSource({
        "MANIFEST,        MANIFEST,        60",
        "00000017.log,    NNNNNNNN.log,    60",
        "00000003.table,  NNNNNNNN.table,  0",
        "00000004.values, NNNNNNNN.values, 24",
    })
    void aFileOfALaterVersionIsRefusedInOneLine(String name, String kind, int checksumAt) throws IOException {
        Path data = store();
        Path file = data.resolve("lsm").resolve(name);
        byte[] bytes = Files.readAllBytes(file);
        ByteBuffer later = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int version = later.getInt(VERSION_AT) + 1;
        later.putInt(VERSION_AT, version);
        if (checksumAt > 0) {
            later.putInt(checksumAt, Checksum.of(HEADER_SEED, bytes, 0, checksumAt));
        } else {
            int footer = bytes.length - TABLE_FOOTER_BYTES;
            later.putInt(footer + 36, version);
            later.putInt(footer + 52, Checksum.of(FOOTER_SEED, bytes, footer, 52));
        }
        Files.write(file, bytes);

        refused(data, name, kind);
    }

    @Test
    void aDirectoryOfALaterLayoutIsRefusedInOneLine() throws IOException {
        Path data = store();
        replace(data.resolve("KVANT"), "layout=1", "layout=2");

        refused(data, data.toString(), "KVANT");
    }

    @Test
    void whatHasExpiredByALaterVersionIsRefusedInOneLine() throws IOException {
        Path data = store();
        String later = "kvant expiry 2\n";
        CRC32C crc = new CRC32C();
        crc.update(later.getBytes(StandardCharsets.US_ASCII));
        Files.writeString(data.resolve("EXPIRY"), later + "checksum=%08x\n".formatted(crc.getValue()));
        Files.write(data.resolve("lsm/00000077.table"), new byte[10]); // what a crash left, which recovery would delete

        refused(data, data.resolve("EXPIRY").toString(), "EXPIRY");
    }

    @Test
    void aPairOfLogsOfALaterLayoutIsRefusedInOneLine() throws Exception {
        Path data = folder.resolve("data");
        Path logs = folder.resolve("logs");
        try (ChildNode node = ChildNode.serve(data, "--lsm.log-dir", logs.toString())) {
            assertThat(node.stop()).isZero();
        }
        Path theirs = logs.resolve("logs/LOGS");
        replace(theirs, "layout=1", "layout=2");
        refused(data, theirs.toString(), "LOGS", "--lsm.log-dir", logs.toString());
        replace(theirs, "layout=2", "layout=1");

        Path ours = data.resolve("lsm/LOGS");
        replace(ours, "layout=1", "layout=2");
        refused(data, ours.toString(), "LOGS", "--lsm.log-dir", logs.toString());
    }

    @Test
    void aListOfABackupOfALaterVersionIsRefusedInOneLine() throws Exception {
        Path data = store();
        Path backups = Files.createDirectory(folder.resolve("backups"));
        assertThat(kvant("backup", "create", "--data", data.toString(), "--target", backups.toString()))
                .as(err)
                .isZero();
        Path list;
        try (Stream<Path> lists = Files.list(backups.resolve("backups"))) {
            list = lists.findFirst().orElseThrow();
        }
        replace(list, "kvant backup 1\n", "kvant backup 2\n");
        Path to = folder.resolve("restored");

        assertThat(kvant("restore", "--target", backups.toString(), "--to", to.toString()))
                .isEqualTo(1);
        assertThat(err).doesNotContain("\n").contains(list.getFileName().toString());
        assertVersions("list of a backup");
        assertThat(to).doesNotExist();
    }

    private static void replace(Path file, String old, String by) throws IOException {
        String text = Files.readString(file, StandardCharsets.UTF_8);
        assertThat(text).containsOnlyOnce(old);
        Files.writeString(file, text.replace(old, by), StandardCharsets.UTF_8);
    }
}
