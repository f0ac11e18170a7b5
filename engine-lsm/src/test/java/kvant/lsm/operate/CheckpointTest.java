package kvant.lsm.operate;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import kvant.engine.Durability;
import kvant.engine.Engine;
import kvant.engine.EngineException;
import kvant.engine.Inspection;
import kvant.engine.Samples;
import kvant.engine.WriteBatch;
import kvant.lsm.BlockedTables;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.LsmParts;
import kvant.lsm.SampleStores;
import kvant.lsm.TestEngines;
import kvant.lsm.memtable.ForwardingMemtable;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.storage.DiskStorage;
import kvant.lsm.store.Store;
import kvant.lsm.table.TableOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A checkpoint holds all that was acknowledged before it began, shares no fate with its store, and is there whole or
/// not at all.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CheckpointTest {

    @TempDir
    Path folder;

    private final List<String> lines = new ArrayList<>();

    @Test
    void holdsWhatIsInTablesAndWhatIsInMemoryOnly() throws IOException {
        SortedMap<String, String> content = new TreeMap<>();
        try (LsmEngine engine = open("data")) {
            fill(engine, content, 300);
            Samples.write(engine, Samples.delete("key-007"), put("last", "only in memory"));
            content.remove("key-007");
            content.put("last", "only in memory");

            engine.maintenance().checkpoint(folder.resolve("copy"), lines::add);
            Samples.write(engine, put("later", "not in the copy"));
        }

        assertHolds("copy", content);
        assertThat(lines).isEmpty();
        assertThat(Files.getPosixFilePermissions(folder.resolve("copy")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void ofTwoMemtablesThatWaitForTheirFlushTheNewerOneDecides() throws Exception {
        Files.createDirectories(folder.resolve("data"));
        BlockedTables blocked = new BlockedTables(DiskStorage.open(folder.resolve("data/lsm")));
        LsmOptions options = options().with(o -> o.memtableBytes = 1 << 20); // none is full before it is asked for
        try (LsmEngine engine = TestEngines.open(blocked, options);
                AutoCloseable _ = blocked::release) {
            for (String value : List.of("old", "new")) {
                Samples.write(engine, put("key", value));
                TestEngines.store(engine).requestSeal(true);
                Samples.write(engine, put("another", value)); // goes into the next memtable
            }
            assertThat(TestEngines.store(engine).readers().current().sealed()).hasSize(2);
            maintenance(engine, new Checkpoint.RealDisk()).checkpoint(folder.resolve("copy"), lines::add);
        }

        assertHolds("copy", new TreeMap<>(Map.of("key", "new", "another", "new")));
    }

    @Test
    void anEmptyStoreHasOneToo() throws IOException {
        try (LsmEngine engine = open("data")) {
            engine.maintenance().checkpoint(folder.resolve("copy"), lines::add);
        }

        assertHolds("copy", new TreeMap<>());
    }

    @Test
    void sharesTablesByHardLink() throws IOException {
        try (LsmEngine engine = open("data")) {
            fill(engine, new TreeMap<>(), 300);
            engine.maintenance().compact(lines::add);
            engine.maintenance().checkpoint(folder.resolve("copy"), lines::add);
            List<Inspection.Content> tables = engine.maintenance().inspect().tables();
            assertThat(tables).isNotEmpty();
            for (Inspection.Content table : tables) {
                assertThat(Files.isSameFile(
                                folder.resolve("data/lsm").resolve(table.name()),
                                folder.resolve("copy/lsm").resolve(table.name())))
                        .isTrue();
            }
        }
    }

    @Test
    void copiesWhereFilesCannotBeShared() throws IOException {
        SortedMap<String, String> content = new TreeMap<>();
        try (LsmEngine engine = open("data")) {
            fill(engine, content, 300);
            RecordingDisk disk = new RecordingDisk(0, false);
            maintenance(engine, disk).checkpoint(folder.resolve("copy"), lines::add);
            List<String> copies = disk.calls.stream()
                    .filter(call -> call.startsWith("copy "))
                    .map(call -> call.substring(5))
                    .toList();
            assertThat(copies).isNotEmpty();
            for (String name : copies) {
                assertThat(disk.calls).containsSubsequence("copy " + name, "sync " + name, "rename to MANIFEST");
            }
        }

        assertThat(lines).first().asString().startsWith("copying, because");
        assertThat(lines.subList(1, lines.size()))
                .as("on a slow machine, one a second")
                .allMatch(line -> line.startsWith("copied "));
        assertHolds("copy", content);
    }

    /// Of files that the engine writes, and of those that are copied.
    @Test
    void aFullDiskIsToldAsOne() throws IOException {
        try (LsmEngine engine = open("data")) {
            fill(engine, new TreeMap<>(), 300);
            for (String file : List.of("copy ", "write ")) {
                RecordingDisk disk = new RecordingDisk(0, false).fullFor(file);
                LsmMaintenance maintenance = maintenance(engine, disk);
                assertThatThrownBy(() -> maintenance.checkpoint(folder.resolve("copy"), lines::add))
                        .as(file)
                        .isInstanceOf(EngineException.StorageFull.class)
                        .hasMessageContaining("no checkpoint was made: no space left for ");
                assertThat(folder.toFile().list()).as("files of %s", folder).containsExactly("data");
            }
        }
    }

    /// Pairs are written together by several writers, while memtables are flushed and runs are merged.
    @Test
    void holdsEveryAcknowledgedWriteWhileWritesGoOn() throws Exception {
        ConcurrentHashMap<Integer, Integer> acknowledged = new ConcurrentHashMap<>();
        AtomicBoolean stop = new AtomicBoolean();
        try (LsmEngine engine = open("data");
                var writers = Executors.newFixedThreadPool(3);
                AutoCloseable _ = () -> stop.set(true)) {
            List<Future<?>> running = new ArrayList<>();
            for (int writer = 0; writer < 3; writer++) {
                int id = writer;
                running.add(writers.submit(() -> writePairs(engine, id, acknowledged, stop)));
            }
            for (int i = 0; i < 8; i++) {
                int enough = i * 200;
                await().until(() ->
                        acknowledged.values().stream().mapToInt(n -> n).sum() >= enough);
                SortedMap<Integer, Integer> before = new TreeMap<>(acknowledged);
                engine.maintenance().checkpoint(folder.resolve("copy" + i), lines::add);
                assertHoldsPairs("copy" + i, before);
            }
            stop.set(true);
            for (Future<?> writer : running) {
                writer.get(60, TimeUnit.SECONDS);
            }
        }
        assertSound("data");
    }

    private static void writePairs(
            Engine engine, int writer, ConcurrentHashMap<Integer, Integer> acknowledged, AtomicBoolean stop) {
        for (int i = 1; !stop.get(); i++) {
            String key = writer + "-" + i % 50;
            Samples.write(engine, put("a" + key, writer + ":" + i), put("b" + key, writer + ":" + i));
            acknowledged.put(writer, i);
        }
    }

    /// Each writer goes through 50 keys in turn: what a key holds tells how far the copy goes.
    private void assertHoldsPairs(String copy, SortedMap<Integer, Integer> acknowledged) throws IOException {
        assertSound(copy);
        try (LsmEngine engine = open(copy)) {
            SortedMap<String, String> shown = SampleStores.scan(engine);
            acknowledged.forEach((writer, last) -> {
                for (int i = Math.max(1, last - 49); i <= last; i++) {
                    String value = shown.get("a" + writer + "-" + i % 50);
                    assertThat(value).as("writer %d, write %d", writer, i).isNotNull();
                    assertThat(Integer.parseInt(value.substring(2))).isGreaterThanOrEqualTo(i);
                    assertThat(shown.get("b" + writer + "-" + i % 50))
                            .as("written together")
                            .isEqualTo(value);
                }
            });
        }
    }

    /// A batch that is just being applied is not half in the copy: the memtable is ahead of what is visible.
    @Test
    void leavesOutWhatIsNotVisibleYet() throws IOException {
        SortedMap<String, String> content = new TreeMap<>();
        try (LsmEngine engine = open("data")) {
            fill(engine, content, 3);
            TestEngines.store(engine)
                    .readers()
                    .current()
                    .active()
                    .add(
                            TestEngines.store(engine).readers().visibleSequence() + 1,
                            1,
                            Samples.bytes("half"),
                            Samples.bytes("v"),
                            0);
            engine.maintenance().checkpoint(folder.resolve("copy"), lines::add);
        }

        assertHolds("copy", content);
    }

    /// Else a follower of changes that starts at the copy's version would miss the writes in between.
    @Test
    void itsVersionIsNotBeyondItsContentWhereTheMemtableIsSealedAtThatMoment() throws IOException {
        AtomicReference<@Nullable Runnable> onAcquire = new AtomicReference<>();
        Files.createDirectories(folder.resolve("data"));
        LsmOptions options = options().with(o -> o.memtableBytes = 1 << 20); // not full before it is asked for
        try (LsmEngine engine = TestEngines.open(
                DiskStorage.open(folder.resolve("data/lsm")), options, withMemtablesThatTell(onAcquire))) {
            Samples.write(engine, put("key", "before"));
            onAcquire.set(() -> {
                TestEngines.store(engine).requestSeal(true);
                Samples.write(engine, put("later", "in the next memtable"));
            });
            maintenance(engine, new Checkpoint.RealDisk()).checkpoint(folder.resolve("copy"), lines::add);
            assertThat(onAcquire).hasValue(null);
            long newest = engine.changes().visible();
            try (LsmEngine copy = open("copy")) {
                assertThat(copy.changes().visible()).isEqualTo(newest);
            }
        }

        assertHolds("copy", new TreeMap<>(Map.of("key", "before", "later", "in the next memtable")));
    }

    /// @param onAcquire run once, by the thread that has just acquired a memtable
    private static LsmParts withMemtablesThatTell(AtomicReference<@Nullable Runnable> onAcquire) {
        return new LsmParts() {
            @Override
            public Memtable memtable(long expectedBytes) {
                return new ForwardingMemtable(OWN.memtable(expectedBytes)) {
                    @Override
                    public boolean acquire() {
                        boolean held = super.acquire();
                        Runnable action = onAcquire.getAndSet(null);
                        if (action != null) {
                            action.run();
                        }
                        return held;
                    }
                };
            }
        };
    }

    @Test
    void aMergeDoesNotTakeAwayTheTablesThatAreBeingLinked() throws IOException {
        SortedMap<String, String> content = new TreeMap<>();
        try (LsmEngine engine = open("data")) {
            fill(engine, content, 300);
            assertThat(files("data/lsm", ".table")).hasSizeGreaterThan(1);
            RecordingDisk disk = new RecordingDisk(0, true).onFirstLink(() -> mergeAll(TestEngines.store(engine)));

            maintenance(engine, disk).checkpoint(folder.resolve("copy"), lines::add);

            assertThat(TestEngines.store(engine).readers().current().version().runs())
                    .hasSizeLessThanOrEqualTo(1);
        }
        assertThat(lines).isEmpty();
        assertHolds("copy", content);
    }

    /// The second request is answered after the compaction thread has deleted what the first one made obsolete.
    private static void mergeAll(Store store) {
        for (int i = 0; i < 2; i++) {
            long request = store.fullCompaction().request();
            store.signal();
            await().until(() -> store.fullCompaction().isDone(request));
        }
    }

    @Test
    void theManifestComesAfterAllTablesAndTheNameLast() throws IOException {
        try (LsmEngine engine = open("data")) {
            fill(engine, new TreeMap<>(), 300);
            Samples.write(engine, put("in memory", "v"));
            RecordingDisk disk = new RecordingDisk(0, true);

            maintenance(engine, disk).checkpoint(folder.resolve("copy"), lines::add);

            List<String> calls = disk.calls;
            int manifest = calls.indexOf("create MANIFEST.new");
            for (int i = 0; i < calls.size(); i++) {
                if (calls.get(i).endsWith(".table")) {
                    assertThat(i).as(calls.get(i)).isLessThan(manifest);
                }
            }
            assertThat(calls.subList(0, manifest).getLast()).isEqualTo("sync lsm");
            assertThat(calls).filteredOn(call -> call.startsWith("create 0")).isNotEmpty();
            assertThat(calls)
                    .containsSubsequence(
                            "sync MANIFEST.new", "rename to MANIFEST", "sync lsm", "sync unfinished", "rename to copy");
            assertThat(calls.getLast()).isEqualTo("sync " + folder.getFileName());
        }
    }

    /// Each call of the file system in turn, with links and with copies.
    @Test
    void anyFailureLeavesTheStoreAsItWasAndNoCopy() throws IOException {
        SortedMap<String, String> content = new TreeMap<>();
        Path place = Files.createDirectory(folder.resolve("place"));
        try (LsmEngine engine = open("data")) {
            fill(engine, content, 100); // few tables: a copy syncs each, and there is one copy for each call
            Samples.write(engine, put("in memory", "v"));
            content.put("in memory", "v");
            for (boolean links : new boolean[] {true, false}) {
                int failed = 0;
                boolean whole = false;
                while (!whole) {
                    Path target = place.resolve("copy" + links + failed);
                    RecordingDisk disk = new RecordingDisk(failed + 1, links);
                    whole = !fails(engine, disk, target);
                    failed++;
                }
                assertThat(failed).as("points of failure").isGreaterThan(15);
            }
            assertThat(SampleStores.scan(engine)).isEqualTo(content);
            Samples.write(engine, put("writes", "go on"));
        }
        assertSound("data");
    }

    /// @return false when it was whole before its call failed
    private boolean fails(LsmEngine engine, RecordingDisk disk, Path target) throws IOException {
        List<Path> before = list(target.getParent());
        try {
            maintenance(engine, disk).checkpoint(target, lines::add);
            return false;
        } catch (EngineException.Io e) {
            assertThat(e).hasMessageContaining("injected: no space left");
            if (e.getMessage().contains("may not survive a power cut")) {
                assertThat(target).isDirectory();
            } else {
                assertThat(list(target.getParent())).as("nothing is left").isEqualTo(before);
            }
            return true;
        }
    }

    @Test
    void anExistingTargetIsRefused() throws IOException {
        Path target = Files.createFile(folder.resolve("file"));
        Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nowhere"));
        try (LsmEngine engine = open("data")) {
            for (Path existing : List.of(target, folder, folder.resolve("link"))) {
                assertThatThrownBy(() -> engine.maintenance().checkpoint(existing, lines::add))
                        .isInstanceOf(EngineException.CannotOpen.class)
                        .hasMessageContaining("exists");
            }
            assertThatThrownBy(() -> engine.maintenance().checkpoint(folder.resolve("no/such/place"), lines::add))
                    .hasMessageContaining("there is no directory");
            assertThatThrownBy(() -> engine.maintenance().checkpoint(folder.resolve("data/lsm/copy"), lines::add))
                    .hasMessageContaining("lies in the data directory");
        }
        assertThat(target).isEmptyFile();
    }

    @Test
    void theEndOfTheEngineBreaksACheckpointOff() throws Exception {
        CountDownLatch linking = new CountDownLatch(1);
        LsmEngine engine = open("data");
        fill(engine, new TreeMap<>(), 300);
        RecordingDisk disk = new RecordingDisk(0, true).onFirstLink(() -> {
            linking.countDown();
            await().until(TestEngines.store(engine)::isClosing);
        });
        try (var threads = Executors.newSingleThreadExecutor()) {
            Future<?> checkpoint =
                    threads.submit(() -> maintenance(engine, disk).checkpoint(folder.resolve("copy"), lines::add));
            linking.await();
            engine.close();
            assertThatThrownBy(checkpoint::get).hasCauseInstanceOf(EngineException.Closed.class);
        }
        assertThat(list(folder)).containsExactly(folder.resolve("data"));
    }

    @Test
    void oneAtATime() throws IOException {
        try (LsmEngine engine = open("data")) {
            fill(engine, new TreeMap<>(), 300);
            LsmMaintenance[] maintenance = new LsmMaintenance[1];
            RecordingDisk disk = new RecordingDisk(0, true)
                    .onFirstLink(() -> assertThatThrownBy(() -> onOtherThread(() -> maintenance[0].compact(lines::add)))
                            .hasRootCauseInstanceOf(EngineException.Busy.class));
            maintenance[0] = maintenance(engine, disk);

            maintenance[0].checkpoint(folder.resolve("copy"), lines::add);

            assertThat(disk.calls).isNotEmpty();
        }
    }

    private static void onOtherThread(Runnable action) {
        try (var thread = Executors.newSingleThreadExecutor()) {
            thread.submit(action).get();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private LsmMaintenance maintenance(LsmEngine engine, Checkpoint.Disk disk) {
        return new LsmMaintenance(
                engine,
                TestEngines.store(engine),
                new Checkpoint.Context(
                        folder.resolve("data/lsm"), options().table(), options().random(), disk));
    }

    private static void fill(Engine engine, SortedMap<String, String> content, int keys) {
        for (int i = 0; i < keys; i++) {
            String key = "key-%03d".formatted(i);
            content.put(key, "value " + i + "x".repeat(200));
            Samples.write(engine, WriteBatch.of(put(key, content.get(key))));
        }
    }

    private void assertHolds(String copy, SortedMap<String, String> content) throws IOException {
        assertSound(copy);
        try (LsmEngine engine = open(copy)) {
            assertThat(SampleStores.scan(engine)).isEqualTo(content);
            content.forEach((key, value) -> assertThat(Samples.get(engine, key)).isEqualTo(value));
            assertThat(engine.recovery().mutations()).as("nothing to replay").isZero();
            Samples.write(engine, put("written into the copy", "v"));
        }
        assertSound(copy);
    }

    private void assertSound(String store) throws IOException {
        Findings found = new Findings(DiskStorage.open(folder.resolve(store).resolve("lsm")));
        assertThat(found.problems).isEmpty();
    }

    private LsmEngine open(String name) {
        return LsmEngine.open(folder.resolve(name), options());
    }

    private static LsmOptions options() {
        return LsmOptions.defaults().with(o -> {
            o.memtableBytes = 16 << 10;
            o.table = new TableOptions(1 << 10, 16 << 10);
            o.durability = Durability.NONE;
        });
    }

    private List<Path> files(String directory, String ending) throws IOException {
        return list(folder.resolve(directory)).stream()
                .filter(file -> file.toString().endsWith(ending))
                .toList();
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }
}
