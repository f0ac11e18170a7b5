package kvant.lsm.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Function;
import java.util.stream.Stream;
import kvant.engine.Condition;
import kvant.engine.Cursor;
import kvant.engine.Durability;
import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.Seeds;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Universal;
import kvant.lsm.storage.FileNames;
import kvant.lsm.table.TableOptions;
import kvant.lsm.value.ValueOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Readers while compactions replace and unmap the tables that they read, on a real disk with real threads.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RetiredTablesTest {

    private static final int KEYS = 300;
    private static final int WRITES = Seeds.tries(6_000);
    private static final int VALUE_BYTES = 2_000;
    private static final long SEED = Seeds.seed(91);
    private static final LsmOptions TINY = LsmOptions.defaults()
            .withDurability(Durability.NONE)
            .with(o -> {
                o.memtableBytes = 300 << 10;
                o.table = new TableOptions(512, 20 << 10);
                o.compaction = CompactionOptions.of(new Universal(2, 3));
            });

    @TempDir
    private Path directory;

    /// Of each key the last value that was acknowledged: a reader sees it or a later one.
    private final AtomicIntegerArray acknowledged = new AtomicIntegerArray(KEYS);

    private volatile boolean done;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void readersNeverSeeAnOldValueOrNone(boolean separated) throws Exception {
        LsmOptions options = separated ? TINY.with(o -> o.values = new ValueOptions(1_000, 60 << 10, 1.2)) : TINY;
        try (LocalEngine engine = LsmEngine.open(directory, options);
                ExecutorService threads = Executors.newFixedThreadPool(3)) {
            for (int key = 0; key < KEYS; key++) {
                Samples.write(engine, put(key, 1));
                acknowledged.set(key, 1);
            }
            List<Future<Integer>> readers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                readers.add(threads.submit(reading(engine, new Random(SEED + i), i == 0)));
            }
            try {
                write(engine, new Random(SEED + 10));
            } finally {
                done = true;
            }
            for (Future<Integer> reader : readers) {
                assertThat(reader.get()).as("reads").isPositive();
            }
        }
        assertThat(newestFile()).as("enough files came and went").isGreaterThan(200);
    }

    /// Every write is conditional, so that the commit thread reads the tables too.
    private void write(LocalEngine engine, Random random) {
        for (int i = 0; i < WRITES; i++) {
            int key = random.nextInt(KEYS);
            int next = acknowledged.get(key) + 1;
            Samples.write(engine, WriteBatch.of(put(key, next)).when(new Condition.Present()));
            acknowledged.set(key, next);
        }
    }

    private Callable<Integer> reading(LocalEngine engine, Random random, boolean eager) {
        return () -> {
            int reads = 0;
            while (!done) {
                int key = random.nextInt(KEYS);
                int least = acknowledged.get(key);
                Lookup found = eager ? engine.tryGet(key(key)) : engine.get(key(key));
                if (found != Lookup.Miss.WOULD_BLOCK) {
                    check(key, least, found);
                    reads++;
                }
            }
            return reads;
        };
    }

    private static void check(int key, int least, Lookup found) {
        int seen = found instanceof Lookup.Found value
                ? ByteBuffer.wrap(value.value()).getInt()
                : -1;
        if (seen < least) {
            throw new AssertionError("seed " + SEED + ": key " + key + " reads " + seen + " after " + least);
        }
    }

    @Test
    void aSlowScanKeepsItsSnapshotWhileEverythingIsReplacedAndItsFilesAreFreedAtItsEnd() throws IOException {
        try (LocalEngine engine = LsmEngine.open(directory, TINY)) {
            for (int i = 0; i < 3_000; i++) {
                Samples.write(engine, put(i % KEYS, i));
            }
            int before = newestTable();
            try (Cursor cursor = engine.scan(new byte[0], null)) {
                for (int key = 0; key < KEYS; key++) {
                    assertThat(cursor.next()).isTrue();
                    assertThat(cursor.key()).isEqualTo(key(key));
                    assertThat(ByteBuffer.wrap(cursor.value()).getInt()).isEqualTo(3_000 - KEYS + key);
                    for (int i = 0; i < 10; i++) {
                        Samples.write(engine, put((key * 10 + i) % KEYS, 10_000 + key));
                    }
                }
                assertThat(cursor.next()).isFalse();
                assertThat(newestTable() - before).as("files while it ran").isGreaterThan(100);
            }
            // The live tables, and those that one merge and one flush may be writing: far fewer than the scan had held.
            await().atMost(Duration.ofNanos(Samples.timeoutNanos())).until(() -> tables() < 100);
        }
    }

    private static Mutation put(int key, int value) {
        byte[] bytes = new byte[VALUE_BYTES];
        ByteBuffer.wrap(bytes).putInt(value);
        return new Mutation.Put(key(key), bytes);
    }

    private static byte[] key(int number) {
        return Samples.bytes("key-%05d".formatted(number));
    }

    private long tables() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("lsm"))) {
            return files.filter(file -> file.toString().endsWith(".table")).count();
        }
    }

    private int newestTable() throws IOException {
        return newest(FileNames::tableNumber);
    }

    /// Table or value file.
    private int newestFile() throws IOException {
        return Math.max(newestTable(), newest(FileNames::valuesNumber));
    }

    private int newest(Function<String, @Nullable Long> number) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("lsm"))) {
            return files.map(file -> number.apply(String.valueOf(file.getFileName())))
                    .filter(each -> each != null)
                    .mapToInt(Long::intValue)
                    .max()
                    .orElse(0);
        }
    }
}
