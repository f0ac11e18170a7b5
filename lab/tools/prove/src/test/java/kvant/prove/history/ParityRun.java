package kvant.prove.history;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import kvant.client.Batch;
import kvant.client.Condition;
import kvant.client.Key;
import kvant.client.KvantClient;
import kvant.client.KvantException;
import kvant.client.PutOptions;
import kvant.client.RangeCursor;
import kvant.client.RangeQuery;
import kvant.client.Value;
import kvant.client.Version;
import kvant.lab.process.Folders;
import kvant.lab.process.KvantProgram;
import kvant.lab.process.Programs;
import kvant.lab.run.ServedNode;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Stage;
import kvant.prove.stage.Violation;

/// One history of [ParityTest]: each request goes to both stores, and each answer must be what the map has.
final class ParityRun {

    private static final int KEYS = 300;
    private static final int RESTART_EVERY = 600;
    private static final Key FIRST = Key.of(new byte[1]);
    private static final Duration LONG = Duration.ofDays(10);
    private static final String LSM = "lsm";
    private static final String ROCKSDB = "rocksdb";

    private final Stage stage;
    private final int operations;
    private final Figures figures;
    private final Path folder;
    private final Random random;
    private final NavigableMap<Key, String> model = new TreeMap<>();
    private final List<Subject> subjects = new ArrayList<>();
    private int values;
    private int done;

    /// A store that is served.
    private record Subject(Path data, ServedNode node, KvantClient client) {}

    /// A question to a store, and the answer in words.
    private interface Question {
        List<String> ask(KvantClient client);
    }

    ParityRun(Stage stage, int operations, Figures figures) throws IOException {
        this.stage = stage;
        this.operations = operations;
        this.figures = figures;
        folder = Files.createTempDirectory(stage.folder(), "parity");
        random = stage.random(0);
    }

    /// @param way in which the stores are moved
    void run(int way) throws Exception {
        String[] archived =
                way == 0 ? new String[] {"--archive", path("archive"), "--archive-interval", "0.1"} : new String[0];
        serve(archived);
        work(operations / 2, archived);
        NavigableMap<Key, String> middle = new TreeMap<>(model);
        Version version = subjects.getFirst().client.put(FIRST, Values.bytes(++values));
        Version _ = subjects.getLast().client.put(FIRST, Values.bytes(values));
        model.put(FIRST, "v" + values);
        middle.put(FIRST, "v" + values);
        work(operations / 2, archived);
        figures.add("histories", 1).add("operations", done);
        switch (way) {
            case 0 -> archive(middle, version);
            case 1 -> backup();
            case 2 -> copy();
            default -> mirror();
        }
        subjects.forEach(one -> one.node.kill());
        Folders.discard(folder);
    }

    private void serve(String... ofLsm) throws IOException {
        subjects.clear();
        subjects.add(served(LSM, LSM, ofLsm));
        subjects.add(served(ROCKSDB, ROCKSDB));
    }

    private Subject served(String name, String engine, String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of("--engine", engine));
        words.addAll(engine.equals(LSM) ? List.of("--lsm.memtable", "64KiB") : List.of());
        words.addAll(List.of(more));
        ServedNode node = ServedNode.start(stage, folder.resolve(name), Stage.node(words.toArray(String[]::new)));
        return new Subject(folder.resolve(name), node, KvantClient.of(node.uri()));
    }

    private void work(int count, String... ofLsm) throws Exception {
        for (int i = 0; i < count; i++) {
            operation(key());
            if (++done % RESTART_EVERY == 0) {
                boolean isKill = random.nextInt(4) > 0;
                stop(isKill);
                serve(ofLsm);
                figures.add(isKill ? "kills" : "stops", subjects.size());
            }
        }
        compareAll();
    }

    private void stop(boolean isKill) {
        for (Subject one : subjects) {
            if (isKill) {
                one.node.kill();
            } else {
                one.node.close();
            }
        }
    }

    private void operation(Key key) throws Violation {
        boolean isThere = model.containsKey(key);
        switch (random.nextInt(10)) {
            case 0, 1 -> put(key, Condition.none(), true);
            case 2 -> put(key, Condition.absent(), !isThere);
            case 3 -> put(key, Condition.present(), isThere);
            case 4, 5 -> overwrite(key);
            case 6 -> delete(key, Condition.none(), true);
            case 7 -> batch();
            case 8 -> range(key);
            default -> get(key);
        }
    }

    /// Few enough to meet again, of any bytes.
    private Key key() {
        Random own = new Random(random.nextInt(KEYS));
        byte[] key = new byte[1 + own.nextInt(own.nextInt(8) == 0 ? 200 : 6)];
        own.nextBytes(key);
        return Key.of(key);
    }

    private void get(Key key) throws Violation {
        compare(List.of(model.getOrDefault(key, "absent").replace(" lives", "")), client -> {
            Optional<Value> found = client.get(key);
            return List.of(
                    found.map(value -> "v" + Values.number(value.bytes())).orElse("absent"));
        });
    }

    private void put(Key key, Condition condition, boolean holds) throws Violation {
        byte[] value = Values.bytes(++values);
        boolean lives = random.nextInt(8) == 0;
        PutOptions plain = PutOptions.defaults().when(condition);
        PutOptions options = lives ? plain.lives(LONG) : plain;
        compare(outcome(holds), client -> tried(() -> client.put(key, value, options)));
        if (holds) {
            model.put(key, "v" + values + (lives ? " lives" : ""));
        }
    }

    private void delete(Key key, Condition condition, boolean holds) throws Violation {
        compare(outcome(holds), client -> tried(() -> client.delete(key, condition)));
        if (holds) {
            model.remove(key);
        }
    }

    private static List<String> outcome(boolean holds) {
        return List.of(holds ? "done" : "refused");
    }

    private static List<String> tried(Runnable write) {
        try {
            write.run();
            return outcome(true);
        } catch (KvantException.ConditionFailed _) {
            return outcome(false);
        }
    }

    /// Over the version that there is, and then once more over that one, which is old.
    private void overwrite(Key key) throws Violation {
        if (!model.containsKey(key)) {
            return;
        }
        byte[] value = Values.bytes(++values);
        boolean deletes = random.nextInt(3) == 0;
        compare(List.of("done", "refused"), client -> {
            Condition current =
                    Condition.versionIs(client.get(key).orElseThrow().version());
            PutOptions options = PutOptions.defaults().when(current);
            List<String> words = new ArrayList<>(
                    deletes ? tried(() -> client.delete(key, current)) : tried(() -> client.put(key, value, options)));
            words.addAll(tried(() -> client.put(key, value, options)));
            return words;
        });
        if (deletes) {
            model.remove(key);
        } else {
            model.put(key, "v" + values);
        }
    }

    private void batch() throws Violation {
        Batch batch = new Batch();
        for (int i = random.nextInt(20); i >= 0; i--) {
            Key key = key(); // the later of two wins
            if (random.nextInt(3) == 0) {
                batch.delete(key);
                model.remove(key);
            } else {
                batch.put(key, Values.bytes(++values));
                model.put(key, "v" + values);
            }
        }
        compare(outcome(true), client -> tried(() -> client.write(batch)));
    }

    private void range(Key start) throws Violation {
        Key end = key();
        int most = 1 + random.nextInt(50);
        Map<Key, String> range = start.compareTo(end) < 0 ? model.subMap(start, end) : new TreeMap<>();
        compare(
                words(range).stream().limit(most).toList(),
                client -> words(client.range(RangeQuery.between(start, end).limit(most))));
    }

    private static List<String> words(Map<Key, String> records) {
        return records.entrySet().stream()
                .map(one -> one.getKey() + " " + one.getValue())
                .toList();
    }

    private static List<String> words(RangeCursor records) {
        List<String> words = new ArrayList<>();
        try (records) {
            while (records.next()) {
                String lives = records.expires().isPresent() ? " lives" : "";
                words.add(records.key() + " v" + Values.number(records.value()) + lives);
            }
        }
        return words;
    }

    private void compareAll() throws Violation {
        compare(words(model), client -> words(client.range(RangeQuery.from(FIRST))));
    }

    private void compare(List<String> expected, Question question) throws Violation {
        for (Subject one : subjects) {
            compare(one, expected, question.ask(one.client));
        }
    }

    private static void compare(Subject one, List<String> expected, List<String> found) throws Violation {
        int same = 0;
        while (same < Math.min(expected.size(), found.size())
                && expected.get(same).equals(found.get(same))) {
            same++;
        }
        if (same < Math.max(expected.size(), found.size())) {
            throw new Violation(
                    one.data + ": " + found.stream().skip(same).limit(1).toList() + " instead of "
                            + expected.stream().skip(same).limit(1).toList() + " after " + same + " that are right");
        }
    }

    /// Compares a store that came into being elsewhere.
    private void moved(String name, String engine, Map<Key, String> expected) throws Exception {
        Subject one = served(name, engine);
        compare(one, words(expected), words(one.client.range(RangeQuery.from(FIRST))));
        one.node.kill();
        figures.add("moved", 1);
    }

    /// Runs another command of `kvant` to its end.
    private static String kvant(String... words) throws IOException, InterruptedException {
        return Programs.run(KvantProgram.command(List.of(), List.of(words)));
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private void archive(Map<Key, String> middle, Version version) throws Exception {
        stop(false); // sends what is left
        kvant("archive", "verify", "--from", path("archive"));
        kvant("restore", "--from", path("archive"), "--version", version.digits(), "--to", path("middle"));
        kvant("restore", "--from", path("archive"), "--latest", "--to", path("latest"));
        moved("middle", LSM, middle);
        moved("latest", LSM, model);
    }

    private void backup() throws Exception {
        for (String engine : List.of(LSM, ROCKSDB)) {
            kvant("backup", "create", "--data", path(engine), "--target", path(engine + "-backup"));
        }
        Map<Key, String> saved = new TreeMap<>(model);
        work(operations / 10); // is not in it
        for (String engine : List.of(LSM, ROCKSDB)) {
            kvant("restore", "--target", path(engine + "-backup"), "--to", path(engine + "-restored"));
            moved(engine + "-restored", engine, saved);
        }
    }

    /// Each store to the other engine.
    private void copy() throws Exception {
        stop(false);
        kvant("copy", "--from", path(LSM), "--to", path("copied-rocksdb"), "--engine", ROCKSDB);
        kvant("copy", "--from", path(ROCKSDB), "--to", path("copied-lsm"), "--engine", LSM);
        moved("copied-rocksdb", ROCKSDB, model);
        moved("copied-lsm", LSM, model);
    }

    /// Mirrors each store to the other engine while it serves; then the node continues with the new one.
    private void mirror() throws Exception {
        stop(false);
        subjects.clear();
        subjects.add(served(LSM, LSM, "--mirror-to", path("mirrored-rocksdb"), "--mirror-engine", ROCKSDB));
        subjects.add(served(ROCKSDB, ROCKSDB, "--mirror-to", path("mirrored-lsm"), "--mirror-engine", LSM));
        for (int i = 0; i < operations / 10; i++) {
            operation(key());
        }
        for (Subject one : subjects) {
            String data = one.data.toString();
            for (int tries = 0; !kvant("mirror", "status", "--data", data).contains("caught-up"); tries++) {
                if (tries > 60) {
                    throw new Violation("the mirror of " + data + " does not catch up");
                }
            }
            kvant("mirror", "switch", "--data", data);
        }
        for (int i = 0; i < operations / 10; i++) {
            operation(key());
        }
        compareAll();
        stop(false);
        moved("mirrored-rocksdb", ROCKSDB, model);
        moved("mirrored-lsm", LSM, model);
    }
}
