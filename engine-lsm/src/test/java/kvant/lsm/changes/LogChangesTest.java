package kvant.lsm.changes;

import static kvant.engine.Samples.delete;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.scan;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import kvant.engine.Durability;
import kvant.engine.EngineException;
import kvant.engine.Mutation;
import kvant.engine.WriteBatch;
import kvant.engine.feed.ChangeCursor;
import kvant.lsm.LogPlace;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.Seeds;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.storage.SmallDisk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The change feed: writes come in order, for as long as the logs that hold them are kept.
class LogChangesTest {

    /// A memtable that takes a few hundred small writes.
    private static final int MEMTABLE_BYTES = 300 << 10;

    /// A memtable of one byte is full after every group.
    private static final int EVERY_GROUP = 1;

    private static final long PLENTY = 1L << 30;

    @TempDir
    Path directory;

    /// Writers continue while the copy follows, through flushes, merges and changes of logs. At each checkpoint the
    /// writers rest, and the copy equals the store.
    @ParameterizedTest
    @ValueSource(ints = {EVERY_GROUP, MEMTABLE_BYTES})
    void aCopyThatFollowsIsTheStoreAtEveryCheckpoint(int memtableBytes) throws Exception {
        long seed = Seeds.seed(5);
        LsmOptions options = SimOptions.of(seed, "always", memtableBytes).with(o -> {
            o.retainedLogBytes = PLENTY;
            o.preallocatedBytes = 16 << 10;
            o.logPlace = memtableBytes == EVERY_GROUP ? LogPlace.INSIDE : LogPlace.in(directory.resolve("logs"));
        });
        FollowedCopy copy = new FollowedCopy();
        int checkpoints = 3 * Seeds.tries(1);
        for (int start = 0; start < 2; start++) {
            try (LsmEngine engine = LsmEngine.open(directory.resolve("data"), options)) {
                for (int i = 0; i < checkpoints; i++) {
                    RandomGenerator random = new SplittableRandom(seed + i + 100L * start);
                    int writes = memtableBytes == EVERY_GROUP ? 15 : 100;
                    whileWritersWrite(engine, random, writes, () -> copy.follow(engine, 1 + random.nextInt(5_000)));
                    copy.follow(engine, 1 << 10);
                    assertThat(copy.entries()).as("seed %d", seed).isEqualTo(scan(engine, "", null));
                    assertThat(copy.inMiddle()).isFalse();
                }
            }
        }
        assertThat(copy.version()).isPositive();
    }

    private static void whileWritersWrite(LsmEngine engine, RandomGenerator seeds, int writes, Runnable meanwhile)
            throws InterruptedException {
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            RandomGenerator random = new SplittableRandom(seeds.nextLong());
            writers.add(Thread.ofPlatform().start(() -> {
                for (int n = 0; n < writes; n++) {
                    write(engine, WriteBatch.of(someMutations(random)));
                }
            }));
        }
        while (writers.stream().anyMatch(Thread::isAlive)) {
            meanwhile.run();
        }
        for (Thread writer : writers) {
            writer.join();
        }
    }

    private static List<Mutation> someMutations(RandomGenerator random) {
        List<Mutation> mutations = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            String key = "k" + random.nextInt(60);
            mutations.add(
                    random.nextInt(4) == 0
                            ? delete(key)
                            : put(key, "v".repeat(1 + random.nextInt(1_500)) + random.nextInt()));
        }
        return mutations;
    }

    @Test
    void aBatchIsNeverCut() {
        try (LsmEngine engine = TestEngines.open(new HeapStorage(), SimOptions.of(1, "always", MEMTABLE_BYTES))) {
            write(engine, put("a", "1"));
            write(engine, put("b", "1"), delete("a"), put("c", "1"));
            List<String> told = new ArrayList<>();
            ChangeCursor cursor = engine.changes().after(0);
            cursor.read(Long.MAX_VALUE, 1, (change, more) -> told.add(change.version() + (more ? "+" : "")));
            assertThat(told).containsExactly("1");
            cursor.read(2, 1 << 10, (change, more) -> told.add(change.version() + (more ? "+" : "")));
            assertThat(told).as("up to a version in its middle").containsExactly("1", "2+");
            cursor.read(Long.MAX_VALUE, 1 << 10, (change, more) -> told.add(change.version() + (more ? "+" : "")));
            assertThat(told).containsExactly("1", "2+", "3+", "4");
        }
    }

    /// Unsynced writes are visible to their writers, but a power cut could take them.
    @Test
    void whatIsNotSyncedIsNotTold() {
        LsmOptions options = SimOptions.of(1, "none", MEMTABLE_BYTES).with(o -> o.retainedLogBytes = PLENTY);
        HeapStorage storage = new HeapStorage();
        long version;
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            version = write(engine, put("a", "1"));
            assertThat(engine.changes().newest()).isZero();
            ChangeCursor cursor = engine.changes().after(version);
            cursor.read(
                    Long.MAX_VALUE,
                    1 << 10,
                    (change, more) -> assertThat(change).isNull());
        }
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            assertThat(engine.changes().newest()).isEqualTo(version);
        }
    }

    @Test
    void underAnIntervalItIsToldOnceItIsSynced() {
        LsmOptions options = SimOptions.of(1, "interval=20", MEMTABLE_BYTES);
        try (LsmEngine engine = TestEngines.open(new HeapStorage(), options)) {
            long version = write(engine, put("a", "1"));
            await().until(() -> engine.changes().newest() == version);
        }
    }

    @Test
    void whatIsNoLongerHeldIsGone() {
        LsmOptions options = SimOptions.of(1, "always", EVERY_GROUP);
        try (LsmEngine engine = TestEngines.open(new HeapStorage(), options)) {
            ChangeCursor slow = engine.changes().after(0);
            for (int i = 0; i < 10; i++) {
                write(engine, put("k", "v" + i));
            }
            engine.awaitRest();
            assertThatThrownBy(() -> slow.read(Long.MAX_VALUE, 1 << 10, (change, more) -> {}))
                    .isInstanceOf(EngineException.Gone.class)
                    .hasMessageContaining("read the range again");
        }
    }

    /// A power cut may bring an older log back, and not the one behind it.
    @Test
    void aLogThatIsMissingBetweenOthersIsNotPassedOver() throws IOException {
        HeapStorage storage = new HeapStorage();
        LsmOptions options = SimOptions.of(1, "always", EVERY_GROUP).with(o -> o.retainedLogBytes = PLENTY);
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            for (int i = 0; i < 5; i++) {
                write(engine, put("k", "v" + i));
            }
            engine.awaitRest();
            storage.delete(logs(storage).get(2));
            FollowedCopy copy = new FollowedCopy();
            assertThatThrownBy(() -> copy.follow(engine, 1 << 10))
                    .isInstanceOf(EngineException.Gone.class)
                    .hasMessageContaining("one of which is damaged or missing; read the range again");
            assertThat(copy.version()).isBetween(1L, 4L);
        }
    }

    @Test
    void aVersionOfAnotherStoreIsRefused() {
        try (LsmEngine engine = TestEngines.open(new HeapStorage(), SimOptions.of(1, "always", MEMTABLE_BYTES))) {
            write(engine, put("a", "1"));
            assertThatThrownBy(() -> engine.changes().after(7)).isInstanceOf(EngineException.Gone.class);
            assertThatThrownBy(() -> engine.changes().after(-1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void logsAreKeptUpToTheirBoundAndOverARestart() {
        long retained = 20 * (64 << 10); // each log counts as 64 KiB at least
        LsmOptions options = SimOptions.of(2, "always", EVERY_GROUP).with(o -> o.retainedLogBytes = retained);
        HeapStorage storage = new HeapStorage();
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            for (int i = 1; i <= 15; i++) {
                write(engine, put("k" + i % 3, "v" + i));
            }
        }
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            FollowedCopy copy = new FollowedCopy();
            copy.follow(engine, 1 << 20);
            assertThat(copy.entries()).isEqualTo(scan(engine, "", null));
            for (int i = 1; i <= 60; i++) {
                write(engine, put("k" + i % 3, "w" + i));
            }
            engine.awaitRest();
            assertThat(logs(storage)).hasSizeBetween(19, 24);
            assertThatThrownBy(() -> new FollowedCopy().follow(engine, 1 << 20))
                    .isInstanceOf(EngineException.Gone.class);
        }
        try (LsmEngine engine = TestEngines.open(storage, options.with(o -> o.retainedLogBytes = 0))) {
            assertThat(logs(storage))
                    .as("nothing is kept by a start that keeps nothing")
                    .hasSizeLessThan(4);
            assertThat(scan(engine, "", null)).hasSize(3);
        }
    }

    @Test
    void aToolThatDoesNotKnowWhatTheNodeKeepsLeavesIt() {
        LsmOptions options = SimOptions.of(2, "always", MEMTABLE_BYTES).with(o -> o.retainedLogBytes = PLENTY);
        LsmOptions tools = options.with(o -> o.retainedLogBytes = LsmOptions.AS_FOUND);
        for (int start = 1; start <= 3; start++) {
            try (LsmEngine engine = LsmEngine.open(directory, options)) {
                for (int i = 1; i <= 15; i++) {
                    write(engine, put("k" + i % 3, "v" + start + i));
                }
                engine.maintenance().compact(_ -> {});
                write(engine, put("live", "v" + start));
            }
            try (LsmEngine tool = LsmEngine.open(directory, tools)) {
                tool.maintenance().compact(_ -> {});
            }
        }
        try (LsmEngine engine = LsmEngine.open(directory, options)) {
            FollowedCopy copy = new FollowedCopy();
            copy.follow(engine, 1 << 20);
            assertThat(copy.entries()).as("from the first write on").isEqualTo(scan(engine, "", null));
        }
    }

    @Test
    void aToolKeepsNothingWhereNothingIsKept() {
        LsmOptions options = SimOptions.of(2, "always", MEMTABLE_BYTES);
        try (LsmEngine engine = LsmEngine.open(directory, options)) {
            write(engine, put("a", "1"));
        }
        try (LsmEngine tool = LsmEngine.open(directory, options.with(o -> o.retainedLogBytes = LsmOptions.AS_FOUND))) {
            tool.maintenance().compact(_ -> {});
            assertThatThrownBy(() -> new FollowedCopy().follow(tool, 1 << 20)).isInstanceOf(EngineException.Gone.class);
        }
    }

    private static List<String> logs(HeapStorage storage) {
        return storage.list().stream()
                .filter(file -> FileNames.logNumber(file) != null)
                .toList();
    }

    @Test
    void whatIsKeptGoesFirstWhenTheDiskIsNearlyFull() {
        SmallDisk disk = new SmallDisk(8 << 20);
        LsmOptions options = SimOptions.of(1, "always", EVERY_GROUP).with(o -> {
            o.retainedLogBytes = PLENTY;
            o.headroomBytes = 64 << 10;
        });
        try (LsmEngine engine = TestEngines.open(disk, options)) {
            for (int i = 0; i < 40; i++) {
                write(engine, put("k", "v".repeat(10_000) + i));
            }
            engine.awaitRest();
            disk.setUsableBytes(20 << 10);
            await().until(() -> {
                write(engine, put("k", "not refused"));
                return disk.usableBytes() > 128 << 10;
            });
            assertThatThrownBy(() -> new FollowedCopy().follow(engine, 1 << 20))
                    .isInstanceOf(EngineException.Gone.class);
        }
    }

    /// Between two reads nothing is open, and a log that was deleted takes no room.
    @Test
    void noFileIsHeld() {
        LsmOptions options = LsmOptions.defaults().with(o -> {
            o.memtableBytes = EVERY_GROUP;
            o.headroomBytes = 0;
        });
        try (LsmEngine engine = LsmEngine.open(directory, options)) {
            write(engine, put("a", "1"));
            ChangeCursor cursor = engine.changes().after(0);
            cursor.read(Long.MAX_VALUE, 1, (change, more) -> {});
            assertThat(cursor.version()).isEqualTo(1);
            for (int i = 0; i < 5; i++) {
                write(engine, put("a", "1"));
            }
            engine.awaitRest();
            await().until(() -> deletedLogsThatAreOpen() == 0);
        }
    }

    private static long deletedLogsThatAreOpen() throws IOException {
        long maps = Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.endsWith(".log (deleted)"))
                .count();
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return maps + open.filter(LogChangesTest::isDeletedLog).count();
        }
    }

    private static boolean isDeletedLog(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().endsWith(".log (deleted)");
        } catch (IOException _) {
            return false; // it was that of the list
        }
    }

    /// A value is longer than what is read at a time, and a batch than what is given at a time.
    @Test
    void longValuesAndLongBatchesAreTold() {
        try (LsmEngine engine = LsmEngine.open(directory, LsmOptions.defaults().withDurability(Durability.ALWAYS))) {
            List<Mutation> batch = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                batch.add(put("k" + i, "v".repeat(10_000) + i));
            }
            write(engine, put("long", "l".repeat(3 << 20)));
            write(engine, WriteBatch.of(batch));
            FollowedCopy copy = new FollowedCopy();
            ChangeCursor cursor = engine.changes().after(0);
            copy.read(cursor, 1 << 10);
            assertThat(copy.version()).isEqualTo(1);
            copy.read(cursor, 1 << 10);
            assertThat(copy.version()).as("a part of the batch, not all of it").isBetween(2L, 50L);
            assertThat(copy.inMiddle()).isTrue();
            copy.follow(engine, 1 << 10);
            assertThat(copy.entries()).isEqualTo(scan(engine, "", null));
        }
    }
}
