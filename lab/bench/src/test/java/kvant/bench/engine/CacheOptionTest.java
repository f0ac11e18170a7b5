package kvant.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;
import kvant.lsm.LsmOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// Engines that are compared have the same cache, and the same things in it.
class CacheOptionTest {

    private static final long MIB = 1 << 20;
    private static final int KEYS = 20_000;

    /// Of a filter with ten bits a key.
    private static final long LEAST_FILTER_BYTES = KEYS;

    @TempDir
    Path folder;

    @Test
    void bothEnginesGetTheCacheThatIsAskedForAndTheOutputSaysSo() {
        assertThat(run("--cache", "48MiB")).contains("index and filters included: kvant 48 MiB, rocksdb 48 MiB");
        assertThat(run("--cache", "3MiB", "--format", "json"))
                .contains("\"cacheBytes\":{\"kvant\":" + 3 * MIB + ",\"rocksdb\":" + 3 * MIB + "}");
    }

    @Test
    void withoutTheOptionBothHaveTheSame() {
        assertThat(run()).contains("index and filters included: kvant 2 GiB, rocksdb 2 GiB");
    }

    /// As in Kvant: else it would have memory for reads outside of the bound.
    @Test
    void indexAndFiltersOfRocksDbAreInItsCache() {
        try (RocksDbContender rocksDb = RocksDbContender.open(folder.resolve("rocksdb"), 64 * MIB, 256 << 10)) {
            Dataset.of(KEYS, 100).fill(rocksDb);
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < KEYS; i++) {
                assertThat(rocksDb.get(Keys.key(random.nextLong(KEYS)))).isTrue();
            }

            assertThat(rocksDb.readerBytes()).isLessThan(LEAST_FILTER_BYTES);
        }
    }

    @Test
    void anEngineTellsTheCacheThatItHas() {
        LsmOptions options = LsmOptions.defaults().with(o -> o.table = o.table.withCache(5 * MIB));
        try (KvantContender kvant = KvantContender.filling(folder.resolve("kvant"), options, 100);
                RocksDbContender rocksDb = RocksDbContender.open(folder.resolve("rocksdb"), 7 * MIB, MIB)) {
            assertThat(kvant.cacheBytes()).isEqualTo(5 * MIB);
            assertThat(rocksDb.cacheBytes()).isEqualTo(7 * MIB);
        }
    }

    private static String run(String... options) {
        PrintStream before = System.out;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            String least = "--quick --keys 200 --rounds 1 --slice 0.001 --only SCAN --no-amplification ";
            String[] words = (least + String.join(" ", options)).strip().split(" ");
            assertThat(new CommandLine(new EngineBench()).execute(words)).isZero();
        } finally {
            System.setOut(before);
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
