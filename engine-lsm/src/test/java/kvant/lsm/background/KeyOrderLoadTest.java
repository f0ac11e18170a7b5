package kvant.lsm.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import kvant.engine.Samples;
import kvant.lsm.Figures;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.table.Compression;
import kvant.lsm.table.TableOptions;
import kvant.lsm.value.ValueOptions;
import org.junit.jupiter.api.Test;

/// Data that comes in the order of keys overlaps nothing, so that its tables are only moved from level to level.
class KeyOrderLoadTest {

    private static final int FLUSHES = 30;
    private static final int VALUE_BYTES = 2_000;

    @Test
    void isCompressedAsItsLevelIs() {
        double plain = load(List.of(Compression.NONE));
        double compressed = load(List.of(Compression.NONE, Compression.LZ4));
        assertThat(plain).isGreaterThan(FLUSHES * VALUE_BYTES * 0.8);
        assertThat(compressed).isLessThan(plain / 3);
    }

    @Test
    void isNotWrittenAnewWhereItIsStoredAsItShallBe() {
        for (Compression compression : Compression.values()) {
            HeapStorage storage = new HeapStorage();
            try (LsmEngine engine = TestEngines.open(storage, options(List.of(compression)))) {
                fill(engine);
                assertThat(Figures.of(engine).get("kvant_lsm_compaction_written_bytes_total"))
                        .as("%s", compression)
                        .isZero();
            }
        }
    }

    /// @return bytes of the levels beneath level 0
    private static double load(List<Compression> levels) {
        try (LsmEngine engine = TestEngines.open(new HeapStorage(), options(levels))) {
            fill(engine);
            List<Double> bytes = new ArrayList<>();
            for (int level = 1; level <= 6; level++) {
                bytes.add(Figures.of(engine).get("kvant_lsm_level_bytes{level," + level + "}"));
            }
            return bytes.stream().mapToDouble(Double::doubleValue).sum();
        }
    }

    private static void fill(LsmEngine engine) {
        for (int i = 0; i < FLUSHES; i++) {
            Samples.write(engine, Samples.put("key-%04d".formatted(i), "x".repeat(VALUE_BYTES)));
        }
        Samples.write(engine, Samples.put("last", "x"));
        engine.awaitRest();
    }

    private static LsmOptions options(List<Compression> levels) {
        return SimOptions.of(1, "none", 1).with(o -> {
            o.table = new TableOptions(1_000, 10_000).withCompression(levels);
            o.values = ValueOptions.DEFAULT.from(ValueOptions.NEVER); // tables hold them
            o.compaction = CompactionOptions.of(new Leveled(1, 20_000, 4));
        });
    }
}
