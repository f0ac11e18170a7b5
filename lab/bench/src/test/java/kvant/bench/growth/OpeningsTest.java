package kvant.bench.growth;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import kvant.bench.engine.Gauges;
import kvant.bench.engine.Keys;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpeningsTest {

    private static final int VALUE_BYTES = 100;
    private static final int TABLES = 64;

    @TempDir
    Path folder;

    /// The log too: a start replays it, and nothing of it is scaled down.
    @Test
    void aStoreHasTheTablesAndLevelsOfTheOneThatItStandsForAndKeepsThemWhenItIsOpened() {
        LsmOptions usual = LsmOptions.defaults();
        int scale = (int) (usual.memtableBytes() / (32 << 10));
        long tableBytes = usual.table().tableBytes() / scale;
        long keys = TABLES * tableBytes / (Keys.BYTES + VALUE_BYTES);

        Openings.fill(folder.resolve("store"), keys, VALUE_BYTES, scale);

        Found found = open(scale, usual.memtableBytes());
        assertThat(found.tables()).isBetween(TABLES * 3 / 4, 3 * TABLES);
        assertThat(found.levels()).isGreaterThanOrEqualTo(2);
        assertThat(open(scale, usual.memtableBytes())).isEqualTo(found);
    }

    private record Found(int tables, int levels, int levelZeroRuns) {}

    private Found open(int scale, long memtableBytes) {
        try (LsmEngine engine = LsmEngine.open(folder.resolve("store"), ScaledOptions.of(scale))) {
            engine.awaitRest();
            assertThat(engine.recovery().replayedBytes()).isBetween(memtableBytes / 4, memtableBytes);
            Gauges gauges = Gauges.of(engine);
            return new Found(engine.recovery().tables(), gauges.levels(), gauges.levelZeroRuns());
        }
    }
}
