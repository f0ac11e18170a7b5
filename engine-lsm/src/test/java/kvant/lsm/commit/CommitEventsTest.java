package kvant.lsm.commit;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import kvant.engine.Samples;
import kvant.lsm.Figures;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Universal;
import kvant.lsm.sim.SimStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Events and figures of the write path.
class CommitEventsTest {

    private static final int WRITES = 20;

    @TempDir
    Path directory;

    @Test
    void groupsRotationsAndStallsAreRecorded() throws Exception {
        Path file = directory.resolve("events.jfr");
        LsmOptions options = SimOptions.of(1, "always", 1).with(o -> {
            o.compaction = CompactionOptions.of(new Universal(1_000, 1_000));
            o.throttle = new WriteThrottle(
                    Duration.ofSeconds(20), Duration.ofMillis(2), Duration.ofSeconds(30), 1, 1_000, 1, 2);
        });
        double stalls;
        long beforeNanos;
        try (Recording recording = new Recording()) {
            recording.enable("kvant.lsm.CommitGroup");
            recording.enable("kvant.lsm.LogChange").withoutThreshold();
            recording.enable("kvant.lsm.WriteStall");
            recording.enable("kvant.lsm.LogSync").withoutThreshold();
            beforeNanos = System.nanoTime();
            recording.start();
            try (LsmEngine engine = TestEngines.open(new SimStorage(), options)) {
                for (int i = 0; i < WRITES; i++) {
                    Samples.write(engine, put("key" + i, "v".repeat(100)), put("more" + i, "v"));
                }
                Figures figures = Figures.of(engine);
                stalls = figures.get("kvant_lsm_write_stall_seconds{cause,level-zero}")
                        + figures.get("kvant_lsm_write_stall_seconds{cause,memtables}");
                assertFigures(figures);
            }
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        List<RecordedEvent> groups = named(events, "kvant.lsm.CommitGroup");
        assertThat(groups).hasSize(WRITES);
        assertThat(groups).allSatisfy(event -> {
            assertThat(event.getInt("writes")).isEqualTo(1);
            assertThat(event.getLong("bytes")).isBetween(140L, 200L);
            assertThat(event.getLong("waitNanos"))
                    .isBetween(0L, Duration.ofMinutes(1).toNanos());
            assertThat(event.getLong("syncNanos"))
                    .isBetween(1L, Duration.ofMinutes(1).toNanos());
        });
        List<RecordedEvent> syncs = named(events, "kvant.lsm.LogSync");
        assertThat(syncs).as("one for each group, two for each log").hasSize(WRITES + 2 * WRITES);
        assertInOrder(syncs, beforeNanos);
        assertInOrder(groups, beforeNanos);
        List<RecordedEvent> changes = named(events, "kvant.lsm.LogChange");
        assertThat(changes).hasSize(WRITES - 1);
        assertThat(changes).allSatisfy(event -> {
            assertThat(event.getLong("begun")).isGreaterThan(event.getLong("finished"));
            assertThat(event.getLong("finishedBytes")).isGreaterThan(200);
            assertThat(syncs.stream().filter(sync -> isWithin(sync, event)))
                    .as("the syncs of the log that ends are a part of it")
                    .hasSize(2);
        });
        assertInOrder(changes, beforeNanos);
        List<RecordedEvent> held = named(events, "kvant.lsm.WriteStall");
        assertThat(held).hasSize((int) stalls).isNotEmpty();
        assertThat(held).allSatisfy(event -> {
            assertThat(event.getString("cause")).isIn("level-zero", "memtables");
            assertThat(event.getLong("nanos")).isPositive();
            assertThat(event.getBoolean("refused")).isFalse();
        });
        assertInOrder(held, beforeNanos);
    }

    /// `beganNanos` is in nano time, and no event begins before its predecessor has ended.
    private static void assertInOrder(List<RecordedEvent> events, long beforeNanos) {
        long lastNanos = beforeNanos;
        for (RecordedEvent event : events.stream()
                .sorted(Comparator.comparingLong(each -> each.getLong("beganNanos")))
                .toList()) {
            assertThat(event.getLong("beganNanos")).isBetween(lastNanos, System.nanoTime());
            lastNanos = event.getLong("beganNanos") + event.getDuration().toNanos() / 2; // two clocks
        }
    }

    private static boolean isWithin(RecordedEvent one, RecordedEvent other) {
        return !one.getStartTime().isBefore(other.getStartTime())
                && !one.getEndTime().isAfter(other.getEndTime());
    }

    private static void assertFigures(Figures figures) {
        assertThat(figures.get("kvant_lsm_commit_group_writes")).isEqualTo(WRITES);
        assertThat(figures.get("kvant_lsm_commit_group_writes_sum")).isEqualTo(WRITES);
        assertThat(figures.get("kvant_lsm_commit_wait_seconds")).isEqualTo(WRITES);
        assertThat(figures.get("kvant_lsm_commit_wait_seconds_sum")).isBetween(1e-9, 60.0);
        assertThat(figures.get("kvant_lsm_log_sync_seconds")).isEqualTo(WRITES);
        assertThat(figures.get("kvant_lsm_log_written_bytes_total")).isBetween(WRITES * 140.0, WRITES * 200.0);
        assertThat(figures.get("kvant_lsm_logs_begun_total{room,grown}")).isEqualTo(WRITES - 1);
        assertThat(figures.get("kvant_lsm_logs")).isPositive();
        assertThat(figures.get("kvant_lsm_commit_queue_bytes")).isBetween(0.0, 1_000.0);
        assertThat(figures.get("kvant_lsm_commit_queue_writes")).isBetween(0.0, 1.0);
    }

    private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
    }
}
