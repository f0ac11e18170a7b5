package kvant.lsm;

import static kvant.engine.Samples.bytes;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import kvant.engine.Cursor;
import kvant.engine.Durability;
import kvant.engine.EngineException;
import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Universal;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.storage.Storage;
import kvant.lsm.table.TableOptions;
import kvant.lsm.value.ValueOptions;
import kvant.lsm.version.LogInfo;
import kvant.lsm.version.Manifest;
import kvant.lsm.version.VersionEdit;

/// Stores whose files and content are known to the byte: nothing in them depends on time or on how threads
/// take turns.
public final class SampleStores {

    public static final long NOW = 1_800_000_000_000L;

    /// Merges nothing.
    private static final Universal NEVER = new Universal(1_000, 1_000);

    private SampleStores() {}

    public static LsmOptions options(long memtableBytes, long seed) {
        return LsmOptions.defaults().withDurability(Durability.ALWAYS).with(o -> {
            o.memtableBytes = memtableBytes;
            o.table = new TableOptions(256, 2_048);
            o.compaction = CompactionOptions.of(NEVER);
            o.preallocatedBytes = 0; // files made ready have numbers that depend on time
            o.replayThreads = 1; // so have runs that are written at the same time
            o.clock = InstantSource.fixed(Instant.ofEpochMilli(NOW));
            o.random = new Random(seed);
        });
    }

    /// Options that flush only while opening. Larger memtables would be zeros for nothing: some of these stores are
    /// opened a thousand times.
    public static LsmOptions calm(long seed) {
        return options(1 << 20, seed);
    }

    /// A store in several runs and one log, closed in good order.
    ///
    /// @param content gets what the store shows
    public static HeapStorage build(long seed, SortedMap<String, String> content) {
        HeapStorage storage = new HeapStorage();
        try (LocalEngine engine = TestEngines.open(storage, calm(seed))) {
            for (int group = 0; group < 4; group++) {
                Mutation[] mutations = new Mutation[30];
                for (int i = 0; i < mutations.length; i++) {
                    mutations[i] = put(content, "key-%03d".formatted(i * 5 + group), "value " + group + "." + i);
                }
                Samples.write(engine, mutations);
            }
            Samples.write(engine, delete(content, "key-000"), delete(content, "key-031"));
        }
        try (LocalEngine engine = TestEngines.open(storage, options(1, seed + 1))) {
            Samples.write(engine, put(content, "key-010", "written between"));
        }
        try (LocalEngine engine = TestEngines.open(storage, calm(seed + 2))) {
            Samples.write(engine, put(content, "key-020", ""));
            Samples.write(engine, delete(content, "key-021"), put(content, "longer", "v".repeat(300)));
            Samples.write(engine, new Mutation.Put(bytes("expired"), bytes("x"), NOW));
            Samples.write(engine, new Mutation.Put(bytes("expires"), bytes("x"), NOW + 1));
            content.put("expires", "x");
        }
        return storage;
    }

    /// A store with value files, closed in good order.
    ///
    /// @param content gets what the store shows
    public static HeapStorage buildSeparated(long seed, SortedMap<String, String> content) {
        HeapStorage storage = new HeapStorage();
        try (LocalEngine engine = TestEngines.open(storage, separated(calm(seed)))) {
            for (int group = 0; group < 3; group++) {
                Mutation[] mutations = new Mutation[12];
                for (int i = 0; i < mutations.length; i++) {
                    mutations[i] = put(content, "key-%03d".formatted(i * 2 + group), "value " + "-".repeat(10 * i));
                }
                Samples.write(engine, mutations);
            }
            Samples.write(engine, new Mutation.Put(bytes("expires"), bytes("x".repeat(99)), NOW + 1));
            content.put("expires", "x".repeat(99));
        }
        try (LocalEngine engine = TestEngines.open(storage, separated(options(1, seed + 1)))) {
            Samples.write(engine, put(content, "key-010", "written after that"));
        }
        return storage;
    }

    private static LsmOptions separated(LsmOptions options) {
        return options.with(o -> o.values = new ValueOptions(40, 500, 2));
    }

    /// Has the manifest say of no log where it ends, as after a crash, or as older versions leave it.
    public static void forgetEndsOfLogs(Storage storage) throws IOException {
        try (Manifest manifest = new Manifest(storage, new Random(1), 1 << 20, Manifest.read(storage))) {
            for (long log : manifest.state().logs()) {
                LogInfo known = Objects.requireNonNull(manifest.state().log(log));
                manifest.append(VersionEdit.logs(new LogInfo(log, known.id()), List.of()));
            }
        }
    }

    /// Everything that a scan shows.
    public static SortedMap<String, String> scan(LocalEngine engine) {
        SortedMap<String, String> shown = new TreeMap<>();
        try (Cursor cursor = engine.scan(new byte[0], null)) {
            while (cursor.next()) {
                shown.put(Samples.text(cursor.key()), Samples.text(cursor.value()));
            }
        }
        return shown;
    }

    /// Reads every key and the whole range.
    ///
    /// @return how many reads were refused as damaged
    /// @throws AssertionError when one is wrong
    public static int readAll(LocalEngine engine, SortedMap<String, String> content, String damagedFile) {
        int refused = 0;
        for (int i = 0; i < 160; i++) {
            refused += readOne(engine, "key-%03d".formatted(i), content, damagedFile);
        }
        for (String key : new String[] {"longer", "expires", "expired", "other"}) {
            refused += readOne(engine, key, content, damagedFile);
        }
        try {
            SortedMap<String, String> shown = scan(engine);
            if (!shown.equals(content)) {
                throw new AssertionError("the scan shows " + shown + " instead of " + content);
            }
        } catch (EngineException.Corruption e) {
            check(e, damagedFile);
            refused++;
        }
        return refused;
    }

    private static int readOne(LocalEngine engine, String key, SortedMap<String, String> content, String damagedFile) {
        try {
            Lookup found = engine.get(bytes(key));
            if (!Objects.equals(Samples.valueOf(found), content.get(key))) {
                throw new AssertionError(key + " reads " + Samples.valueOf(found) + " instead of " + content.get(key));
            }
            return 0;
        } catch (EngineException.Corruption e) {
            check(e, damagedFile);
            return 1;
        }
    }

    /// Whether a refusal names the file and says in one line what to do.
    public static void check(EngineException e, String file) {
        String message = String.valueOf(e.getMessage());
        boolean helpful = message.contains("restore the data directory from a backup")
                || message.contains("use the version that wrote it")
                || message.contains("from a copy of this directory");
        boolean named = message.contains("heap/" + file + " ");
        if (!named || !helpful || message.contains("\n")) {
            throw new AssertionError("not a helpful message about " + file + ": " + message, e);
        }
    }

    private static Mutation put(SortedMap<String, String> content, String key, String value) {
        content.put(key, value);
        return Samples.put(key, value);
    }

    private static Mutation delete(SortedMap<String, String> content, String key) {
        content.remove(key);
        return Samples.delete(key);
    }
}
