package kvant.lsm.value;

import static kvant.engine.Samples.bytes;

import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import kvant.engine.Durability;
import kvant.engine.LocalEngine;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SampleStores;
import kvant.lsm.TestEngines;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.compaction.Picker;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.table.TableOptions;

/// Small stores whose values lie in value files.
final class ValueStores {

    static final int SEPARATE_BYTES = 400;
    static final int KEYS = 200;

    /// A level 0 of two runs is merged into levels of some tables each.
    static final Picker LEVELED = new Leveled(2, 200 << 10, 4);

    private ValueStores() {}

    static LsmOptions options(long seed) {
        return options(seed, LEVELED);
    }

    static LsmOptions options(long seed, Picker picker) {
        return SampleStores.options(300 << 10, seed).with(o -> {
            o.durability = Durability.NONE;
            o.table = new TableOptions(512, 8 << 10);
            o.values = new ValueOptions(SEPARATE_BYTES, 32 << 10, 1.4);
            o.compaction = CompactionOptions.of(picker);
        });
    }

    /// Writes values of 400 to 2,400 bytes under random keys, and some small ones.
    static void overwrite(LocalEngine engine, int writes, Random random, SortedMap<String, String> content) {
        for (int i = 0; i < writes; i++) {
            String key = key(random.nextInt(KEYS));
            int length =
                    random.nextInt(10) == 0 ? random.nextInt(SEPARATE_BYTES) : SEPARATE_BYTES + random.nextInt(2_000);
            String value = i + ":" + random.nextInt() + "x".repeat(length);
            Samples.write(engine, new Mutation.Put(bytes(key), bytes(value)));
            content.put(key, value);
        }
    }

    /// A closed store with value files and no log that holds anything.
    static HeapStorage build(long seed, SortedMap<String, String> content) {
        HeapStorage storage = new HeapStorage();
        try (LsmEngine engine = TestEngines.open(storage, options(seed))) {
            overwrite(engine, 3_000, new Random(seed), content);
            engine.awaitRest();
        }
        try (LsmEngine engine = TestEngines.open(storage, options(seed).with(o -> o.memtableBytes = 1))) {
            engine.awaitRest();
        }
        return storage;
    }

    static HeapStorage build(long seed) {
        return build(seed, new TreeMap<>());
    }

    static String key(int number) {
        return "key-%04d".formatted(number);
    }

    static boolean isValueFile(String name) {
        return FileNames.valuesNumber(name) != null;
    }
}
