package kvant.rocksdb;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import kvant.engine.Distribution;
import kvant.engine.EngineException;
import kvant.engine.Inspection;
import kvant.engine.MetricSink;
import kvant.engine.Samples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Checkpoints, compaction and figures of a RocksDB store.
class RocksDbMaintenanceTest {

    @TempDir
    Path folder;

    @Test
    void aCheckpointIsAStoreOfItsOwn() {
        try (RocksDbEngine engine = open("data")) {
            Samples.write(engine, put("k", "v"));
            engine.maintenance().checkpoint(folder.resolve("copy"), _ -> {});
            Samples.write(engine, put("later", "v"));
        }
        try (RocksDbEngine copy = open("copy")) {
            assertThat(Samples.get(copy, "k")).isEqualTo("v");
            assertThat(Samples.get(copy, "later")).isNull();
        }
    }

    @Test
    void anExistingTargetIsRefusedAndNothingIsLeft() throws IOException {
        Path existing = Files.createDirectory(folder.resolve("existing"));
        try (RocksDbEngine engine = open("data")) {
            assertThatThrownBy(() -> engine.maintenance().checkpoint(existing, _ -> {}))
                    .isInstanceOf(EngineException.CannotOpen.class)
                    .hasMessageContaining("exists");
            assertThatThrownBy(() -> engine.maintenance().checkpoint(folder.resolve("data/rocksdb/x"), _ -> {}))
                    .hasMessageContaining("lies in the data directory");
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactlyInAnyOrder(existing, folder.resolve("data"));
        }
    }

    @Test
    void aCompactionLeavesOneLevelWithoutDeletions() {
        try (RocksDbEngine engine = open("data")) {
            for (int i = 0; i < 4; i++) {
                Samples.write(engine, put("k" + i, "v"), put("gone", "v"));
                engine.flush();
            }
            Samples.write(engine, Samples.delete("gone"));
            engine.flush();

            engine.maintenance().compact(_ -> {});

            Inspection after = engine.maintenance().inspect();
            assertThat(after.levels()).hasSize(1);
            assertThat(after.levels().getFirst().records()).isEqualTo(4);
            assertThat(after.levels().getFirst().deletions()).isZero();
            assertThat(after.engine()).isEqualTo("rocksdb");
        }
    }

    @Test
    void nothingBeginsAfterTheEnd() {
        RocksDbEngine engine = open("data");
        engine.close();

        assertThatThrownBy(() -> engine.maintenance().compact(_ -> {})).isInstanceOf(EngineException.Closed.class);
        assertThatThrownBy(() -> engine.maintenance().inspect()).isInstanceOf(EngineException.Closed.class);
        assertThat(figures(engine)).isEmpty();
    }

    @Test
    void tellsFigures() {
        try (RocksDbEngine engine = open("data")) {
            Samples.write(engine, put("a", "v"), put("b", "v"));
            engine.flush();

            Map<String, Double> figures = figures(engine);

            assertThat(figures.get("kvant_rocksdb_level_tables[level, 0]")).isEqualTo(1);
            assertThat(figures.get("kvant_rocksdb_level_tables[level, 6]")).isZero();
            assertThat(figures.get("kvant_rocksdb_table_bytes[]")).isPositive();
            assertThat(figures.get("kvant_rocksdb_keys_estimate[]")).isEqualTo(2);
            assertThat(figures.get("kvant_rocksdb_compactions_running[]")).isZero();
        }
    }

    private static Map<String, Double> figures(RocksDbEngine engine) {
        Map<String, Double> figures = new HashMap<>();
        engine.measure(new MetricSink() {
            @Override
            public void counter(String name, String help, double value, String... labels) {
                figures.put(name + List.of(labels), value);
            }

            @Override
            public void gauge(String name, String help, double value, String... labels) {
                figures.put(name + List.of(labels), value);
            }

            @Override
            public void histogram(String name, String help, Distribution values, String... labels) {
                figures.put(name + List.of(labels), (double) values.count());
            }
        });
        return figures;
    }

    private RocksDbEngine open(String name) {
        return RocksDbEngine.open(folder.resolve(name), RocksDbOptions.defaults());
    }
}
