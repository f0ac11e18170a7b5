package kvant.cli.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import kvant.cli.ChildNode;
import kvant.cli.Main;
import kvant.engine.ConditionFailedException;
import kvant.engine.Cursor;
import kvant.engine.Engine;
import kvant.engine.Mutation;
import kvant.engine.Range;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.move.copy.CopyState;
import kvant.move.copy.StateFile;
import kvant.rocksdb.RocksDbEngine;
import kvant.rocksdb.RocksDbOptions;
import kvant.server.Node;
import kvant.server.NodeOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `kvant copy` between directories and nodes, through the real command line.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class CopyCommandTest {

    @TempDir
    Path folder;

    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    /// A record as it is compared.
    private record Entry(byte[] key, byte[] value, long expiresAtMillis) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Entry entry
                    && Arrays.equals(key, entry.key)
                    && Arrays.equals(value, entry.value)
                    && expiresAtMillis == entry.expiresAtMillis;
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(key);
        }
    }

    @Test
    void aStoreMovesToTheOtherEngineAndBackAgain() {
        fill(folder.resolve("a"), records(3000, 1));
        assertThat(run("compact", "--data", path("a"))).isZero();
        assertThat(folder.resolve("a/lsm")).isDirectoryContaining("glob:**.values");

        assertThat(copy("a", "b", "--engine", "rocksdb")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("copied 3000 records, ", "compared 3000 records in 1 key ranges: the same");
        assertThat(err.toString()).isEmpty();
        assertThat(copy("b", "c")).as(err.toString()).isZero();
        assertThat(run("compact", "--data", path("c"))).isZero();
        assertThat(folder.resolve("c/lsm")).isDirectoryContaining("glob:**.values");

        assertThat(contents(folder.resolve("b"))).hasSize(3000).isEqualTo(contents(folder.resolve("a")));
        assertThat(contents(folder.resolve("c"))).isEqualTo(contents(folder.resolve("a")));
        assertThat(folder.resolve("b.copy-state")).doesNotExist();
        assertThat(folder.resolve("b/rocksdb")).exists();
        assertThat(folder.resolve("c/lsm")).exists();
    }

    @Test
    void anEmptyStoreIsCopied() {
        fill(folder.resolve("a"), List.of());
        assertThat(copy("a", "b")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("copied 0 records", "compared 0 records in 0 key ranges: the same");
        assertThat(contents(folder.resolve("b"))).isEmpty();
    }

    /// More than a page, and what is longest.
    @Test
    void aServingNodeIsReadWithItsLifeTimes() throws Exception {
        List<Mutation> records = records(10_500, 2);
        byte[] longest = new byte[65_536];
        Arrays.fill(longest, (byte) 0xFF);
        records.add(new Mutation.Put(longest, new byte[3 << 20]));
        fill(folder.resolve("a"), records);
        try (Engine engine = LsmEngine.open(folder.resolve("a"), LsmOptions.defaults());
                Node node = Node.start(NodeOptions.defaults().with(o -> o.port = 0), engine)) {
            assertThat(run(
                            "copy",
                            "--from",
                            node.url(),
                            "--to",
                            folder.resolve("b").toString()))
                    .as(err.toString())
                    .isZero();
            node.drain();
        }
        assertThat(out.toString()).contains("copied 10501 records", "the same");
        assertThat(contents(folder.resolve("b"))).isEqualTo(contents(folder.resolve("a")));
    }

    @Test
    void aServingNodeIsFilled() throws Exception {
        List<Mutation> records = records(2500, 3);
        byte[] longest = new byte[65_536];
        Arrays.fill(longest, (byte) 0xFE);
        records.add(new Mutation.Put(longest, new byte[300_000])); // so large that it goes alone
        fill(folder.resolve("a"), records);
        try (Engine engine = RocksDbEngine.open(folder.resolve("b"), RocksDbOptions.defaults());
                Node node = Node.start(NodeOptions.defaults().with(o -> o.port = 0), engine)) {
            assertThat(run(
                            "copy",
                            "--from",
                            folder.resolve("a").toString(),
                            "--to",
                            node.url() + "/",
                            "--state",
                            state()))
                    .as(err.toString())
                    .isZero();
            node.drain();
        }
        assertThat(out.toString()).contains("copied 2501 records", "the same");
        assertThat(err.toString().lines()).singleElement().asString().contains("whole seconds");
        List<Entry> source = contents(folder.resolve("a"));
        List<Entry> target = contents(folder.resolve("b"));
        assertThat(target).hasSize(source.size());
        for (int i = 0; i < source.size(); i++) {
            assertThat(target.get(i).key()).isEqualTo(source.get(i).key());
            assertThat(target.get(i).value()).isEqualTo(source.get(i).value());
            long end = source.get(i).expiresAtMillis();
            assertThat(target.get(i).expiresAtMillis()).isBetween(end, end == 0 ? 0 : end + 60_000);
        }
        assertThat(Path.of(state())).doesNotExist();
    }

    @Test
    void aTargetThatIsNotEmptyIsRefusedUnlessItMayBeOverwritten() {
        fill(folder.resolve("a"), List.of(put("k1", "new"), put("k2", "new")));
        fill(folder.resolve("b"), List.of(put("k2", "old"), put("k3", "old")));

        refused(1, "is not empty", "copy", "--from", path("a"), "--to", path("b"));
        assertThat(contents(folder.resolve("b"))).hasSize(2);

        assertThat(copy("a", "b", "--overwrite")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("the same: 0 missing, 1 extra, 0 different", "'k3': extra");
        assertThat(contents(folder.resolve("b")))
                .extracting(entry -> new String(entry.value(), StandardCharsets.UTF_8))
                .containsExactly("new", "new", "old");
    }

    @Test
    void theComparisonFindsWhatDiffersAndFailsForIt() {
        fill(folder.resolve("a"), List.of(put("k1", "v"), put("k2", "v"), put("k3", "v")));
        fill(folder.resolve("b"), List.of(put("k1", "v"), put("k3", "w"), put("k4", "v")));

        assertThat(copy("a", "b", "--verify-only")).isEqualTo(1);

        assertThat(out.toString())
                .contains("1 missing, 1 extra, 1 different; the first is 'k2': missing")
                .contains("compared 3 records in 1 key ranges: 1 differ: 1 missing, 1 extra, 1 different");
        assertThat(err.toString().lines()).singleElement().asString().contains("are not the same");
        assertThat(folder.resolve("b.copy-state")).doesNotExist();
        assertThat(copy("a", "c", "--no-verify")).isZero();
        assertThat(out.toString()).contains("copied 3").doesNotContain("compared");
        assertThat(copy("a", "c", "--verify-only")).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCopyThatIsStoppedOrKilledGoesOn(boolean killed) throws Exception {
        List<Mutation> records = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            records.add(put("key%05d".formatted(i), "v".repeat(10_000)));
        }
        fill(folder.resolve("a"), records);
        StateFile file = new StateFile(folder.resolve("b.copy-state"));
        try (ChildNode child = ChildNode.run(
                List.of("-Xmx128m"), List.of("copy", "--from", path("a"), "--to", path("b"), "--rate", "500KB"))) {
            await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(file.path()) && copied(file) > 0);
            if (killed) {
                child.kill();
            } else {
                child.terminate();
                assertThat(child.awaitExit()).isEqualTo(1);
                assertThat(child.stderr())
                        .singleElement()
                        .asString()
                        .contains("stopped after", "--resume", "b.copy-state");
            }
        }
        assertThat(copied(file)).isBetween(1L, 399L);
        refused(1, "that has not ended: continue it by --resume", "copy", "--from", path("a"), "--to", path("b"));
        refused(
                1,
                "not from directory",
                "copy",
                "--from",
                path("b"),
                "--to",
                path("c"),
                "--resume",
                "--state",
                file.path().toString());

        assertThat(copy("a", "b", "--resume")).as(err.toString()).isZero();

        assertThat(out.toString()).contains("copied 400 records", "the same");
        assertThat(contents(folder.resolve("b"))).isEqualTo(contents(folder.resolve("a")));
        assertThat(file.path()).doesNotExist();
        refused(1, "there is no state", "copy", "--from", path("a"), "--to", path("b"), "--resume");
    }

    @Test
    void aDirectoryInUseIsToldWithTheWayOut() throws Exception {
        fill(folder.resolve("b"), List.of());
        try (ChildNode node = ChildNode.serve(folder.resolve("a"))) {
            String expected = "a node serves " + path("a") + ": give its URL";
            refused(1, expected, "copy", "--from", path("a"), "--to", path("c"));
            refused(1, expected, "copy", "--from", path("b"), "--to", path("a"));
            assertThat(folder.resolve("c")).doesNotExist();
            assertThat(node.stop()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            --from A                                      | '--to
            --from A --to A                               | '--from' and '--to' are the same
            --from A --to A/../a                          | '--from' and '--to' are the same
            --from cassandra --to cassandra               | '--from' and '--to' are the same
            --from A --to ftp://x                         | '--to': 'ftp://x' is no directory, URL or 'cassandra'
            --from http:// --to B                         | '--from': 'http://' is not a URL
            --from A --to B --cassandra.local             | the options '--cassandra...' need
            --from A --to cassandra --cassandra.tls.any-hostname | need '--cassandra.tls'
            --from A --to B --engine cassandra            | a copy into a cluster is '--to cassandra'
            --from A --to http://h:1 --engine lsm         | '--engine' needs a directory
            --from A --to B --rate fast                   | 'fast' is not a size
            --from A --to B --rate 0                      | '--rate' is at least 1 byte a second
            --from A --to B --resume --overwrite          | leave '--overwrite' out
            --from A --to B --verify-only --no-verify     | '--verify-only' goes with neither
            --from A --to B --verify-only --resume        | '--verify-only' goes with neither
            """)
    void aWrongCommandLineIsExplainedInOneLine(String options, String expected) {
        String[] words = ("copy " + options.replace("A", path("a")).replace("B", path("b"))).split(" +");
        refused(2, expected, words);
        assertThat(folder.resolve("b")).doesNotExist();
    }

    @Test
    void whatCannotBeOpenedIsToldInOneLineAndNothingIsMade() throws Exception {
        refused(1, "there is no data directory", "copy", "--from", path("a"), "--to", path("b"));
        assertThat(folder.resolve("b")).doesNotExist();
        fill(folder.resolve("a"), List.of(put("k", "v")));
        refused(1, "cannot reach http://127.0.0.1:1", "copy", "--from", "http://127.0.0.1:1", "--to", path("b"));
        refused(1, "cannot reach", "copy", "--from", path("a"), "--to", "http://127.0.0.1:1", "--state", state());
        refused(1, "there is no data directory", "copy", "--from", path("a"), "--to", path("b"), "--verify-only");
        Files.writeString(folder.resolve("b.copy-state"), "nonsense");
        refused(1, "is damaged or not the state", "copy", "--from", path("a"), "--to", path("b"));
        Path foreign = Files.createDirectory(folder.resolve("foreign"));
        Files.writeString(foreign.resolve("thesis.txt"), "not a store");
        refused(1, "is not a Kvant data directory", "copy", "--from", path("a"), "--to", path("foreign"));
    }

    /// The state that `--mirror-to` has written applies to copies as to nodes.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SOURCE | SWITCHED | have moved to there
            TARGET | COPYING  | is an unfinished copy of there
            """)
    void aStoreThatHasMovedOrIsNotWholeIsRefused(String role, String state, String expected) throws Exception {
        fill(folder.resolve("a"), List.of(put("k", "v")));
        Files.writeString(
                folder.resolve("a").resolve("MIRROR"),
                "kvant mirror 1\nrole=" + role + "\nstate=" + state + "\nother=there\n");
        refused(1, expected, "copy", "--from", path("a"), "--to", path("b"));
        refused(1, expected, "copy", "--from", path("a"), "--to", path("b"), "--verify-only");
    }

    private long copied(StateFile file) {
        CopyState state = file.read();
        return state == null ? 0 : state.records();
    }

    private void refused(int code, String expected, String... arguments) {
        assertThat(run(arguments)).as(err + "" + out).isEqualTo(code);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("kvant: ")
                .contains(expected);
        assertThat(out.toString()).isEmpty();
    }

    private int copy(String from, String to, String... options) {
        List<String> arguments = new ArrayList<>(List.of("copy", "--from", path(from), "--to", path(to)));
        arguments.addAll(List.of(options));
        return run(arguments.toArray(String[]::new));
    }

    private int run(String... arguments) {
        out = new StringWriter();
        err = new StringWriter();
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private String state() {
        return folder.resolve("some.state").toString();
    }

    private static Mutation put(String key, String value) {
        return new Mutation.Put(key.getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8));
    }

    /// Different keys of any bytes; one value in four ends in some hours, and one in a hundred is kept out of tables.
    private static List<Mutation> records(int count, int seed) {
        Random random = new Random(seed);
        Map<byte[], Mutation> records = new TreeMap<>(Arrays::compareUnsigned);
        while (records.size() < count) {
            byte[] key = new byte[1 + random.nextInt(20)];
            byte[] value = new byte[random.nextInt(100) == 0 ? 5 << 10 : random.nextInt(200)];
            random.nextBytes(key);
            random.nextBytes(value);
            long end = System.currentTimeMillis() + 3_600_000 + random.nextInt(100_000_000);
            records.put(key, new Mutation.Put(key, value, random.nextInt(4) == 0 ? end : Mutation.Put.NEVER));
        }
        return new ArrayList<>(records.values());
    }

    private static void fill(Path data, List<Mutation> records) {
        try (Engine engine = LsmEngine.open(data, LsmOptions.defaults())) {
            if (!records.isEmpty()) {
                engineWrite(engine, records);
            }
        }
    }

    private static void engineWrite(Engine engine, List<Mutation> records) {
        try {
            engine.write(WriteBatch.of(records));
        } catch (ConditionFailedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Entry> contents(Path data) {
        List<Entry> contents = new ArrayList<>();
        boolean lsm = Files.exists(data.resolve("lsm"));
        try (Engine engine = lsm
                        ? LsmEngine.open(data, LsmOptions.defaults())
                        : RocksDbEngine.open(data, RocksDbOptions.defaults());
                Cursor cursor = engine.scan(Range.all())) {
            while (cursor.next()) {
                contents.add(new Entry(cursor.key(), cursor.value(), cursor.expiresAtMillis()));
            }
        }
        return contents;
    }
}
