package kvant.lsm.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.engine.Durability;
import kvant.engine.Samples;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.table.TableOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// To copy the files of a large store takes long: what it had in memory at the beginning is not kept for that time.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CheckpointMemoryTest {

    private static final int KEYS = 300;

    @TempDir
    private Path folder = Path.of("");

    @Test
    void aCheckpointHoldsNoMemtableWhileItCopiesFiles() {
        List<Boolean> released = new ArrayList<>();
        try (LsmEngine engine = LsmEngine.open(folder.resolve("data"), options())) {
            write(engine, "before");
            Samples.write(engine, Samples.put("in memory", "before"));
            WeakReference<Memtable> memtable = new WeakReference<>(
                    TestEngines.store(engine).readers().current().active());
            RecordingDisk disk = new RecordingDisk(0, false).onFirstLink(() -> {
                write(engine, "meanwhile");
                engine.awaitRest();
                await().atMost(Duration.ofNanos(Samples.timeoutNanos())).until(() -> {
                    System.gc();
                    return memtable.refersTo(null);
                });
                released.add(true);
            });
            maintenance(engine, disk).checkpoint(folder.resolve("copy"), _ -> {});
            assertThat(disk.calls).as("files were copied").anyMatch(call -> call.startsWith("copy "));
        }
        assertThat(released).containsExactly(true);
        try (LsmEngine copy = LsmEngine.open(folder.resolve("copy"), options())) {
            assertThat(Samples.get(copy, "in memory")).isEqualTo("before");
            assertThat(Samples.scan(copy, "", null))
                    .hasSize(KEYS + 1)
                    .allMatch(entry -> entry.value().startsWith("before"));
        }
    }

    /// The flush gives back the store's hold of it, and the checkpoint has its own.
    @Test
    void aMemtableThatIsFlushedWhileACheckpointWritesItIsInTheCheckpoint() {
        try (LsmEngine engine = LsmEngine.open(folder.resolve("data"), options())) {
            Samples.write(engine, Samples.put("in memory", "before"));
            Memtable memtable = TestEngines.store(engine).readers().current().active();
            List<Boolean> held = new ArrayList<>();
            RecordingDisk disk = new RecordingDisk(0, true).onFirstCreate(() -> {
                write(engine, "meanwhile");
                engine.awaitRest();
                held.add(memtable.acquire());
                memtable.release();
            });
            maintenance(engine, disk).checkpoint(folder.resolve("copy"), _ -> {});
            assertThat(held).containsExactly(true);
            await("that nobody holds it when all is over").until(() -> !memtable.acquire());
        }
        try (LsmEngine copy = LsmEngine.open(folder.resolve("copy"), options())) {
            assertThat(Samples.get(copy, "in memory")).isEqualTo("before");
        }
    }

    private LsmMaintenance maintenance(LsmEngine engine, Checkpoint.Disk disk) {
        return new LsmMaintenance(
                engine,
                TestEngines.store(engine),
                new Checkpoint.Context(
                        folder.resolve("data/lsm"), options().table(), options().random(), disk));
    }

    private static void write(LsmEngine engine, String what) {
        for (int i = 0; i < KEYS; i++) {
            Samples.write(engine, Samples.put("key-%03d".formatted(i), what + "x".repeat(200)));
        }
    }

    private static LsmOptions options() {
        return LsmOptions.defaults().with(o -> {
            o.memtableBytes = 16 << 10;
            o.table = new TableOptions(1 << 10, 16 << 10);
            o.durability = Durability.NONE;
        });
    }
}
