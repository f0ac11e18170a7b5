package kvant.cli.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import kvant.cli.ChildNode;
import kvant.cli.JsonSyntax;
import kvant.cli.Main;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The operator's commands, on real node processes and on directories without a node.
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class StoreCommandsTest {

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
    void aCheckpointOfAServingNodeIsAStore(String engine) throws Exception {
        Path data = folder.resolve("data");
        Path copy = folder.resolve("copy");
        Map<String, Integer> before;
        try (ChildNode node = ChildNode.serve(data, "--engine", engine);
                NodeKeys.Writing writing = keys.writing(node)) {
            before = writing.acknowledged();

            assertThat(kvant("checkpoint", data, "--to", copy.toString())).isZero();

            writing.awaitMore();
            writing.stop();
            assertThat(node.stop()).isZero();
        }
        assertThat(out.toString().lines()).singleElement().asString().contains("checkpoint of", copy.toString());
        assertThat(err.toString()).isEmpty();
        assertThat(kvant("check", copy)).as(out.toString()).isZero();
        assertThat(kvant("check", data)).as(out.toString()).isZero();
        try (ChildNode node = ChildNode.serve(copy, "--engine", engine)) {
            keys.assertThatHolds(node, before);
            assertThat(node.stop()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lsm", "rocksdb"})
    void allCommandsWorkWithoutANodeToo(String engine) throws Exception {
        Path data = folder.resolve("data");
        fill(data, engine, 50);

        Path ofMemory = folder.resolve("of-memory");
        Path ofFiles = folder.resolve("of-files"); // tables, and a file of values
        assertThat(kvant("checkpoint", data, "--to", ofMemory.toString())).isZero();
        assertThat(kvant("compact", ofMemory)).isZero();
        assertThat(out.toString()).contains("compacted ");
        assertThat(kvant("compact", data)).isZero();
        assertThat(kvant("checkpoint", data, "--to", ofFiles.toString())).isZero();
        assertThat(Trees.files(ofFiles, ".values")).hasSize(engine.equals("lsm") ? 1 : 0);
        for (Path copy : List.of(ofMemory, ofFiles)) {
            assertThat(kvant("check", copy)).as(out.toString()).isZero();
            assertThat(kvant("inspect", copy)).isZero();
            assertThat(out.toString()).contains("engine " + engine, "levels", "50");
            assertThat(err.toString()).isEmpty();
            try (ChildNode node = ChildNode.serve(copy, "--engine", engine)) {
                assertThat(keys.get(node, "k7")).isEqualTo(value(7));
                assertThat(keys.get(node, "k13")).isEqualTo(value(13)).hasSizeGreaterThan(5_000);
                assertThat(node.stop()).isZero();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lsm", "rocksdb"})
    void aServingNodeIsInspectedAndCompacted(String engine) throws Exception {
        Path data = folder.resolve("data");
        try (ChildNode node = ChildNode.serve(data, "--engine", engine)) {
            for (int i = 0; i < 20; i++) {
                keys.put(node, "k" + i, "v");
            }
            assertThat(kvant("compact", data)).as(err.toString()).isZero();
            assertThat(kvant("inspect", data)).isZero();
            assertThat(out.toString()).contains("level  runs  tables", "memtable bytes");
            assertThat(kvant("inspect", data, "--format", "json")).isZero();
            assertThat(out.toString()).matches(JsonSyntax::isJson, "is JSON").contains("\"records\": 20,");
            assertThat(node.stop()).isZero();
        }
        assertThat(kvant("inspect", data, "--format", "json")).isZero();
        assertThat(out.toString()).matches(JsonSyntax::isJson, "is JSON").contains("\"engine\": \"" + engine + "\"");
        assertThat(data.resolve("control.sock")).doesNotExist();
    }

    @Test
    void commandsFindLogsThatAreOnAnotherDisk() throws Exception {
        Path data = folder.resolve("data");
        Path copy = folder.resolve("copy");
        Path logs = folder.resolve("disk/logs");
        try (ChildNode node = ChildNode.serve(data, "--lsm.log-dir", logs.toString())) {
            keys.put(node, "k", "v");
            assertThat(kvant("inspect", data)).isZero();
            assertThat(out.toString()).contains(logs.toString());
            assertThat(node.stop()).isZero();
        }
        assertThat(kvant("inspect", data)).isZero();
        assertThat(out.toString()).contains(logs.toString());
        assertThat(kvant("check", data)).as(out.toString()).isZero();
        assertThat(kvant("checkpoint", data, "--to", copy.toString())).isZero();
        assertThat(kvant("compact", data)).isZero();
        assertThat(err.toString()).isEmpty();
        try (ChildNode node = ChildNode.serve(copy)) {
            assertThat(keys.get(node, "k")).isEqualTo("v");
            assertThat(node.stop()).isZero();
        }
        Files.move(logs, folder.resolve("away"));
        assertThat(kvant("compact", data)).isOne();
        assertThat(err.toString().lines()).singleElement().asString().contains(logs.toString(), "mount the disk");
    }

    @Test
    void commandsLeaveTheLogsThatANodeKeeps() throws Exception {
        Path data = folder.resolve("data");
        try (ChildNode node =
                ChildNode.serve(data, "--lsm.memtable", "64KiB", "--changes-retain", "1MiB", "--durability", "none")) {
            keys.put(node, "k", "v");
            assertThat(kvant("compact", data)).isZero();
            keys.put(node, "k", "w");
            assertThat(node.stop()).isZero();
        }
        List<String> kept = logs(data);
        assertThat(kept).hasSizeGreaterThan(1);
        assertThat(kvant("compact", data)).isZero();
        assertThat(kvant("checkpoint", data, "--to", folder.resolve("copy").toString()))
                .isZero();
        assertThat(logs(data)).containsAll(kept);
    }

    private static List<String> logs(Path data) throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("lsm"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("[0-9]+[.]log"))
                    .toList();
        }
    }

    @Test
    void theChannelIsTheOwnersAloneAndOutlivesAKilledNode() throws Exception {
        Path data = folder.resolve("data");
        try (ChildNode node = ChildNode.serve(data)) {
            assertThat(Files.getPosixFilePermissions(data.resolve("control.sock")))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            node.kill();
        }
        assertThat(data.resolve("control.sock")).exists();
        assertThat(kvant("inspect", data)).as("nobody listens there").isZero();
        try (ChildNode node = ChildNode.serve(data)) {
            keys.put(node, "k", "v");
            assertThat(kvant("inspect", data)).isZero();
            assertThat(out.toString()).as("asked the node").contains("memtable records");
            assertThat(node.stop()).isZero();
            assertThat(node.stderr())
                    .singleElement()
                    .asString()
                    .endsWith("administrative inspect token=- from=control");
        }
    }

    @Test
    void aPathTooLongForASocketIsSaidOnceAndTheNodeServes() throws Exception {
        Path data = folder.resolve("d".repeat(120));
        try (ChildNode node = ChildNode.serve(data)) {
            keys.put(node, "k", "v");
            refused("held by another process (process " + node.pid() + ")", "compact", data);
            refused("held by another process (process " + node.pid() + ")", "inspect", data);
            assertThat(node.stop()).isZero();
            assertThat(node.stderr()).singleElement().asString().contains("no control channel at", "at most 100 bytes");
        }
    }

    @Test
    void aNodeRefusesWhatItCannotDoInOneLine() throws Exception {
        Path data = folder.resolve("data");
        try (ChildNode node = ChildNode.serve(data)) {
            refused("held by another process (process " + node.pid() + ")", "check", data);
            refused("exists", "checkpoint", data, "--to", folder.toString());
            refused(
                    "there is no directory",
                    "checkpoint",
                    data,
                    "--to",
                    folder.resolve("no/where").toString());
            refused(
                    "lies in the data directory",
                    "checkpoint",
                    data,
                    "--to",
                    data.resolve("copy").toString());
            assertThat(node.stop()).isZero();
            assertThat(node.stderr()).hasSize(3).allMatch(line -> line.contains(" administrative checkpoint "));
        }
    }

    @Test
    void aDamagedStoreIsReportedAndLeftAsItIs() throws Exception {
        Path data = folder.resolve("data");
        fill(data, "lsm", 50);
        assertThat(kvant("compact", data)).isZero();
        Path table = only(data.resolve("lsm"), ".table");
        byte[] bytes = Files.readAllBytes(table);
        bytes[40] ^= 1;
        Files.write(table, bytes);
        Path log = only(data.resolve("lsm"), ".log");
        byte[] logBytes = Files.readAllBytes(log);
        logBytes[10] ^= 1;
        Files.write(log, logBytes);

        assertThat(kvant("check", data)).isEqualTo(1);
        assertThat(out.toString())
                .contains(table + ": offset 16: ", "restore the data directory", log + ": offset 0: ", "2 problems");
        assertThat(err.toString()).isEmpty();
        assertThat(kvant("check", data, "--format", "json")).isEqualTo(1);
        assertThat(out.toString()).matches(JsonSyntax::isJson, "is JSON").contains("\"sound\": false");
        assertThat(Files.readAllBytes(table)).isEqualTo(bytes);
        assertThat(Files.readAllBytes(log)).isEqualTo(logBytes);
    }

    @Test
    void aDamagedRocksDbStoreIsReported() throws Exception {
        Path data = folder.resolve("data");
        fill(data, "rocksdb", 50);
        assertThat(kvant("compact", data)).isZero();
        Path table = only(data.resolve("rocksdb"), ".sst");
        byte[] bytes = Files.readAllBytes(table);
        bytes[20] ^= 1;
        Files.write(table, bytes);
        Map<String, Long> before = sizes(data.resolve("rocksdb"));

        assertThat(kvant("check", data)).isEqualTo(1);

        assertThat(out.toString()).contains(table.getFileName().toString(), "damaged");
        assertThat(kvant("check", data, "--format", "json")).isEqualTo(1);
        assertThat(out.toString()).matches(JsonSyntax::isJson, "is JSON");
        assertThat(sizes(data.resolve("rocksdb"))).as("nothing was changed").isEqualTo(before);
    }

    @Test
    void aSoundStoreIsSound() throws Exception {
        Path data = folder.resolve("data");
        fill(data, "lsm", 50);
        Map<String, Long> before = sizes(data);

        assertThat(kvant("check", data)).isZero();
        assertThat(out.toString()).contains("would replay 50 mutations", "sound: 0 tables and 1 logs");
        assertThat(kvant("check", data, "--format", "json")).isZero();
        assertThat(out.toString())
                .matches(JsonSyntax::isJson, "is JSON")
                .contains("\"sound\": true", "\"replayed\": 50");
        assertThat(sizes(data)).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"check", "inspect", "compact", "checkpoint"})
    void whatIsNoStoreIsRefusedInOneLine(String command) throws Exception {
        Path missing = folder.resolve("missing");
        refusedAll("there is no data directory", command, missing);
        assertThat(missing).doesNotExist();
        refusedAll("is a file", command, Files.createFile(folder.resolve("file")));
        Path foreign = Files.createDirectory(folder.resolve("foreign"));
        Files.writeString(foreign.resolve("thesis.txt"), "not a store");
        refusedAll("is not a Kvant data directory", command, foreign);
        Path newer = Files.createDirectory(folder.resolve("newer"));
        Files.writeString(newer.resolve("KVANT"), "kvant data directory\nlayout=9\nengine=lsm\n");
        refusedAll("use the version that wrote it", command, newer);
        Files.writeString(newer.resolve("KVANT"), "kvant data directorx\nlayout=1\nengine=lsm\n");
        refusedAll("is damaged at offset 0", command, newer);
        Files.write(newer.resolve("KVANT"), new byte[] {(byte) 0xFF, (byte) 0xFE});
        refusedAll("is damaged at offset 0", command, newer);
        try (Stream<Path> files = Files.list(newer)) {
            assertThat(files).as("nothing was made").hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"check", "inspect", "compact", "checkpoint"})
    void anUnreadableStoreIsRefusedInOneLine(String command) throws Exception {
        Path data = folder.resolve("data");
        fill(data, "lsm", 1);
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("---------"));
        try {
            assumeThat(Files.isReadable(data))
                    .as("permissions bind this user (not run as root)")
                    .isFalse();
            refusedAll("permission", command, data);
        } finally {
            Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void aDamagedStoreIsRefusedByTheOthersInOneLine() throws Exception {
        Path data = folder.resolve("data");
        fill(data, "lsm", 5);
        Files.write(data.resolve("lsm/MANIFEST"), new byte[100]);

        for (String command : new String[] {"inspect", "compact", "checkpoint"}) {
            refusedAll("MANIFEST is damaged at offset 0", command, data);
        }
        assertThat(kvant("check", data)).isEqualTo(1);
        assertThat(out.toString()).contains("MANIFEST: offset 0", "1 problem:");
    }

    @Test
    void wrongCommandLinesAreExplained() {
        assertThat(run("checkpoint", "--data", folder.toString())).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().contains("--to");
        assertThat(run("check", "--format", "xml")).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().contains("'xml' is not one of text, json");
        assertThat(run("compact", "--url", "x")).isEqualTo(2);
        assertThat(run("inspect", "--dat", "x")).isEqualTo(2);
        assertThat(err.toString()).contains("did you mean '--data'?");
    }

    private void refusedAll(String reason, String command, Path data) {
        if (command.equals("checkpoint")) {
            refused(reason, command, data, "--to", folder.resolve("copy").toString());
            assertThat(folder.resolve("copy")).doesNotExist();
        } else {
            refused(reason, command, data);
        }
    }

    private void refused(String reason, String command, Path data, String... options) {
        assertThat(kvant(command, data, options)).as(err + "" + out).isEqualTo(1);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("kvant: ")
                .contains(reason);
        assertThat(out.toString()).isEmpty();
    }

    private int kvant(String command, Path data, String... options) {
        return run(Stream.concat(Stream.of(command, "--data", data.toString()), Stream.of(options))
                .toArray(String[]::new));
    }

    private int run(String... arguments) {
        out = new StringWriter();
        err = new StringWriter();
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    /// A node fills each kind of store once; others are copies.
    private void fill(Path data, String engine, int count) throws Exception {
        Path once = filled.resolve(engine + count);
        if (Files.notExists(once)) {
            try (ChildNode node = ChildNode.serve(once, "--engine", engine)) {
                for (int i = 0; i < count; i++) {
                    keys.put(node, "k" + i, value(i));
                }
                assertThat(node.stop()).isZero();
            }
        }
        Trees.copy(once, data);
    }

    /// Some are so long that they are kept out of tables.
    private static String value(int i) {
        return "value " + i + (i % 10 == 3 ? "v".repeat(5 << 10) : "");
    }

    private static Path only(Path directory, String ending) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .reduce((a, b) -> b)
                    .orElseThrow();
        }
    }

    private static Map<String, Long> sizes(Path directory) throws IOException {
        Map<String, Long> sizes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                sizes.put(file.toString(), Files.size(file));
            }
        }
        return sizes;
    }
}
