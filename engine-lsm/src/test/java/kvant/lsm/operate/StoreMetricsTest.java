package kvant.lsm.operate;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import kvant.engine.Cursor;
import kvant.engine.Distribution;
import kvant.engine.Durability;
import kvant.engine.MetricSink;
import kvant.engine.Samples;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.TestEngines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The figures that the engine keeps of itself tell what it has done.
class StoreMetricsTest {

    @TempDir
    Path folder;

    /// Remembers what it was given, by name and labels.
    private static final class Figures implements MetricSink {
        final Map<String, Double> values = new HashMap<>();
        final Map<String, Distribution> histograms = new HashMap<>();

        Figures(LsmEngine engine) {
            engine.measure(this);
        }

        @Override
        public void counter(String name, String help, double value, String... labels) {
            assertThat(name).startsWith("kvant_lsm_").endsWith("_total");
            add(name, value, labels);
        }

        @Override
        public void gauge(String name, String help, double value, String... labels) {
            assertThat(name).startsWith("kvant_lsm_").doesNotEndWith("_total");
            add(name, value, labels);
        }

        @Override
        public void histogram(String name, String help, Distribution distribution, String... labels) {
            assertThat(histograms.put(name + String.join(",", labels), distribution))
                    .as(name)
                    .isNull();
        }

        private void add(String name, double value, String... labels) {
            assertThat(values.put(name + List.of(labels), value)).as(name).isNull();
        }

        double of(String name, String... labels) {
            return values.get("kvant_lsm_" + name + List.of(labels));
        }
    }

    @Test
    void tellWhatWasWrittenAndWhy() {
        try (LsmEngine engine = open()) {
            Figures before = new Figures(engine);
            assertThat(before.of("write_amplification")).isZero();
            assertThat(before.of("flushes_total")).isZero();

            for (int i = 0; i < 100; i++) {
                Samples.write(engine, put("key" + i % 50, "v".repeat(100)));
            }
            Figures written = new Figures(engine);
            assertThat(written.of("user_bytes_total")).isBetween(100.0 * 104, 100.0 * 112);
            assertThat(written.of("log_written_bytes_total")).isGreaterThan(written.of("user_bytes_total"));
            assertThat(written.of("memtable_bytes", "state", "active")).isPositive();

            engine.maintenance().compact(_ -> {});
            Figures after = new Figures(engine);
            assertThat(after.of("flushes_total")).isEqualTo(1);
            assertThat(after.of("flushes_running")).isZero();
            assertThat(after.of("compactions_running")).isZero();
            assertThat(after.histograms.get("kvant_lsm_flush_seconds").count()).isEqualTo(1);
            double tables = after.of("flush_written_bytes_total");
            assertThat(tables).isBetween(50.0 * 100, 100.0 * 120);
            double merged = after.of("compaction_written_bytes_total");
            assertThat(after.of("write_amplification"))
                    .isEqualTo((tables + merged + after.of("log_written_bytes_total")) / after.of("user_bytes_total"));
            assertThat(after.of("level_tables", "level", "6")).isEqualTo(1);
            assertThat(after.of("level_records", "level", "6")).isEqualTo(50);
            assertThat(merged).as("nothing lies below it: it is moved").isZero();
            assertThat(after.of("level_bytes", "level", "6")).isEqualTo(tables);
            assertThat(after.of("level_tables", "level", "0")).isZero();
        }
    }

    @Test
    void countCompactions() {
        try (LsmEngine engine = open()) {
            for (int i = 0; i < 2; i++) {
                Samples.write(engine, put("key" + i, "v"), Samples.delete("gone" + i));
                engine.maintenance().compact(_ -> {});
            }
            Figures after = new Figures(engine);

            // Each request flushes, and takes what there is to the last level.
            assertThat(after.of("flushes_total")).isEqualTo(2);
            assertThat(after.of("compactions_total")).isEqualTo(2);
            assertThat(after.of("compaction_read_bytes_total"))
                    .isGreaterThan(after.of("compaction_written_bytes_total"));
            assertThat(after.histograms.get("kvant_lsm_compaction_seconds").sum())
                    .isPositive();
            assertThat(TestEngines.store(engine).figures().unmergedBytes()).isZero();
        }
    }

    @Test
    void tellOfOpenScans() {
        try (LsmEngine engine = open()) {
            assertThat(new Figures(engine).of("snapshots")).isZero();
            try (Cursor _ = engine.scan(new byte[0], null);
                    Cursor _ = engine.scan(new byte[0], null)) {
                Figures open = new Figures(engine);
                assertThat(open.of("snapshots")).isEqualTo(2);
                assertThat(open.of("snapshot_oldest_seconds")).isPositive().isLessThan(60);
            }
            assertThat(new Figures(engine).of("snapshots")).isZero();
        }
    }

    @Test
    void tellOfTheRecovery() throws Exception {
        try (LsmEngine engine = open()) {
            Samples.write(engine, put("key", "v".repeat(1_000)));
        }
        try (LsmEngine engine = open()) {
            Figures figures = new Figures(engine);
            assertThat(figures.of("recovery_replayed_bytes")).isBetween(1_000.0, 1_500.0);
            assertThat(figures.of("recovery_seconds")).isPositive().isLessThan(60);
        }
    }

    @Test
    void aFlightRecordingShowsFlushesAndCompactions() throws Exception {
        Path file = folder.resolve("flight.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("kvant.lsm.Flush").withoutThreshold();
            recording.enable("kvant.lsm.Compaction").withoutThreshold();
            recording.start();
            try (LsmEngine engine = open()) {
                Samples.write(engine, put("key", "v"), Samples.delete("gone"));
                engine.maintenance().compact(_ -> {});
            }
            recording.stop();
            recording.dump(file);
        }
        assertThat(Files.size(file)).isPositive();
        Map<String, RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("kvant.lsm."))
                .collect(Collectors.toMap(event -> event.getEventType().getName(), event -> event, (a, _) -> a));
        assertThat(events).containsKeys("kvant.lsm.Flush", "kvant.lsm.Compaction");
        assertThat(events.get("kvant.lsm.Flush").getLong("outputBytes")).isPositive();
        RecordedEvent compaction = events.get("kvant.lsm.Compaction");
        assertThat(compaction.getLong("inputBytes")).isPositive();
        assertThat(compaction.getInt("inputTables")).isEqualTo(1);
        assertThat(compaction.getInt("outputTables")).isEqualTo(1);
        assertThat(compaction.getDuration()).isPositive();
    }

    private LsmEngine open() {
        return LsmEngine.open(folder.resolve("data"), LsmOptions.defaults().withDurability(Durability.NONE));
    }
}
