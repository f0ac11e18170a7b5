package kvant.lsm.recover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SortedMap;
import java.util.TreeMap;
import kvant.engine.LocalEngine;
import kvant.engine.Samples;
import kvant.lsm.SampleStores;
import kvant.lsm.Seeds;
import kvant.lsm.TestEngines;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.HeapStorage;
import org.junit.jupiter.api.Test;

/// Files left by a crash, under numbers that the manifest has not given away yet.
class StrayFilesTest {

    private static final long SEED = Seeds.seed(82);

    /// A kill during a flush once left a table in the way of the flush that the next start begins with.
    @Test
    void filesOfAnUnfinishedFlushAreNotInTheWayOfTheNextStart() {
        SortedMap<String, String> content = new TreeMap<>();
        HeapStorage storage = SampleStores.build(SEED, content);
        for (long number = 14; number < 30; number++) {
            storage.put(FileNames.table(number), new byte[100]);
            storage.put(FileNames.log(number), new byte[number % 2 == 0 ? 10 : 0]);
        }
        storage.put(FileNames.MANIFEST_NEW, new byte[20]);
        try (LocalEngine engine = TestEngines.open(storage, SampleStores.options(1, SEED + 3))) {
            assertThat(SampleStores.readAll(engine, content, "")).isZero();
        }
        try (LocalEngine engine = TestEngines.open(storage, SampleStores.calm(SEED + 4))) {
            assertThat(SampleStores.readAll(engine, content, "")).isZero();
        }
        assertThat(storage.list()).doesNotContain(FileNames.table(29), FileNames.log(29), FileNames.MANIFEST_NEW);
    }

    @Test
    void filesOfOtherNamesAreLeftAlone() {
        HeapStorage storage = new HeapStorage()
                .put("notes.txt", new byte[3])
                .put("7.log", new byte[3])
                .put("00000001.log.old", new byte[3]);
        try (LocalEngine engine = TestEngines.open(storage, SampleStores.calm(SEED))) {
            Samples.write(engine, Samples.put("a", "b"));
        }
        assertThat(storage.list()).contains("notes.txt", "7.log", "00000001.log.old");
    }
}
