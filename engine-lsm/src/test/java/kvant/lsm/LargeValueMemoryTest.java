package kvant.lsm;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.noise;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import kvant.engine.Cursor;
import kvant.engine.Durability;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.engine.directory.ExaminedDirectory;
import kvant.lsm.operate.StoreCheck;
import kvant.lsm.recover.Recovery;
import kvant.lsm.storage.Damage;
import kvant.lsm.value.ValueOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A value that no client asks for is never copied as a whole: a store that was written with a large heap opens, is
/// merged and is checked with a small one.
class LargeValueMemoryTest {

    private static final int VALUE_BYTES = 16 << 20;

    /// All values stay in the log.
    private static final long LARGE_MEMTABLE_BYTES = 512L << 20;

    private static final long SMALL_MEMTABLE_BYTES = 1 << 20;

    @TempDir
    private Path folder;

    private final SortedMap<String, byte[]> content = new TreeMap<>();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStartAndAMergeAndACheckCopyNoLargeValue(boolean separated) throws IOException {
        try (LsmEngine engine = LsmEngine.open(folder, options(LARGE_MEMTABLE_BYTES, separated))) {
            Samples.write(engine, put("alone"));
            Samples.write(engine, put("batch-1"), put("batch-2"), expiring("batch-3"));
        }
        assertThat(allocatedBy(this::check)).as("a check of logs").isLessThan(VALUE_BYTES);
        List<LsmEngine> opened = new ArrayList<>();
        assertThat(allocatedBy(() -> opened.add(LsmEngine.open(folder, options(SMALL_MEMTABLE_BYTES, separated)))))
                .as("a start")
                .isLessThan(VALUE_BYTES);
        try (LsmEngine engine = opened.getFirst()) {
            assertThatAllIsThere(engine);
            for (String key : List.of("batch-1", "batch-2")) {
                content.put(key, bytes("short"));
                Samples.write(engine, new Mutation.Put(bytes(key), bytes("short")));
            }
            assertThat(allocatedBy(() -> {
                        engine.maintenance().compact(_ -> {});
                        engine.awaitRest();
                    }))
                    .as("merges")
                    .isLessThan(VALUE_BYTES);
            assertThatAllIsThere(engine);
            assertThat(allocatedBy(
                            () -> assertThat(lengthByScan(engine, "batch-3")).isEqualTo(VALUE_BYTES)))
                    .as("a range that ends with a value")
                    .isLessThan(2L * VALUE_BYTES);
            assertThat(bytesOfTablesAndValues())
                    .as("what is left of two values of four")
                    .isLessThan(3L * VALUE_BYTES);
        }
        assertThat(allocatedBy(this::check)).as("a check of tables").isLessThan(VALUE_BYTES);
    }

    /// The memtable may be as large as it is asked for; a start takes an eighth of the heap at most.
    @Test
    void recordsThatAreReplayedTakeAShareOfTheHeap() {
        long heapBytes = Runtime.getRuntime().maxMemory();
        LsmOptions large = LsmOptions.defaults().withMemtable(heapBytes / 2);
        assertThat(Recovery.replayBytes(large)).isEqualTo(heapBytes / 8);
        LsmOptions small = LsmOptions.defaults().withMemtable(SMALL_MEMTABLE_BYTES);
        assertThat(Recovery.replayBytes(small)).isEqualTo(SMALL_MEMTABLE_BYTES);
    }

    private Mutation put(String key) {
        byte[] value = noise(VALUE_BYTES, key.hashCode());
        content.put(key, value);
        return new Mutation.Put(bytes(key), value);
    }

    private Mutation expiring(String key) {
        byte[] value = noise(VALUE_BYTES, key.hashCode());
        content.put(key, value);
        long tomorrow = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
        return new Mutation.Put(bytes(key), value, tomorrow);
    }

    private void assertThatAllIsThere(LsmEngine engine) {
        content.forEach((key, value) -> {
            Lookup found = engine.get(bytes(key));
            assertThat(found).as(key).isInstanceOf(Lookup.Found.class);
            assertThat(((Lookup.Found) found).value()).as(key).isEqualTo(value);
        });
    }

    private static int lengthByScan(LsmEngine engine, String key) {
        try (Cursor cursor = engine.scan(bytes(key), null)) {
            assertThat(cursor.next()).isTrue();
            return cursor.value().length;
        }
    }

    private void check() {
        List<String> problems = new ArrayList<>();
        try (ExaminedDirectory directory = ExaminedDirectory.open(folder)) {
            StoreCheck.run(directory, new StoreCheck.Listener() {
                @Override
                public void found(Damage kind, String file, long offset, String what) {
                    problems.add(file + ": " + what);
                }

                @Override
                public void note(String text) {
                    // A stray log is no problem.
                }

                @Override
                public void progress(long doneBytes, long allBytes) {
                    // Of no interest here.
                }
            });
        }
        assertThat(problems).isEmpty();
    }

    private long bytesOfTablesAndValues() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("lsm"))) {
            return files.map(Path::toFile)
                    .filter(file ->
                            file.getName().endsWith(".table") || file.getName().endsWith(".values"))
                    .mapToLong(File::length)
                    .sum();
        }
    }

    private static LsmOptions options(long memtableBytes, boolean separated) {
        return LsmOptions.defaults()
                .withDurability(Durability.NONE)
                .withMemtable(memtableBytes)
                .with(o -> o.values =
                        o.values.from(separated ? ValueOptions.DEFAULT.separateBytes() : ValueOptions.NEVER));
    }

    /// By all threads.
    private static long allocatedBy(Runnable work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getTotalThreadAllocatedBytes();
        work.run();
        return threads.getTotalThreadAllocatedBytes() - before;
    }
}
