package kvant.bench.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A planted delay takes at least its time; any excess comes from the machine.
class PlantedTest {

    private static final long TIME = TimeUnit.MILLISECONDS.toNanos(20);

    @Test
    void lawsAreRead() {
        assertThat(Planted.parse("delay=10ms"))
                .isEqualTo(new Planted.Delay(Duration.ofMillis(10).toNanos()));
        assertThat(Planted.parse("burn=500us"))
                .isEqualTo(new Planted.Burn(Duration.ofNanos(500_000).toNanos()));
        assertThat(Planted.parse("slow=2%:10ms"))
                .isEqualTo(new Planted.Slow(50, Duration.ofMillis(10).toNanos()));
        assertThat(Planted.parse("slow=0.5%:1s"))
                .isEqualTo(new Planted.Slow(200, Duration.ofSeconds(1).toNanos()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "delay", "delay=", "delay=0ms", "delay=1h", "slow=10ms", "slow=0%:1ms", "speed=1ms"})
    void whatIsNoLawIsRefused(String text) {
        assertThatThrownBy(() -> Planted.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aWrongLawIsToldWhatThereIs() {
        assertThatThrownBy(() -> Planted.parse("rain"))
                .hasMessageContaining("'rain' is none of delay=TIME, slow=SHARE:TIME");
    }

    @Test
    void aDelayIsWaited() {
        assertThat(elapsed(new Planted.Delay(TIME), 1)).isGreaterThanOrEqualTo(TIME);
    }

    @ParameterizedTest
    @CsvSource({"3, 1", "4, 1", "7, 1", "8, 2"})
    void oneOfSoManyIsSlow(int lookups, int slow) {
        Planted planted = new Planted.Slow(4, TIME);
        long begin = System.nanoTime();
        int waited = 0;
        for (int i = 1; i <= lookups; i++) {
            waited += i % 4 == 0 ? 1 : 0;
            planted.pass(i);
        }

        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(waited * TIME);
        assertThat(waited).isEqualTo(lookups < 4 ? 0 : slow);
    }

    @Test
    void aBurnIsProcessorTime() {
        long begin = ThreadTime.nanos();
        new Planted.Burn(TIME).pass(1);

        assertThat(ThreadTime.nanos() - begin).isGreaterThanOrEqualTo(TIME);
    }

    private static long elapsed(Planted planted, long lookup) {
        long begin = System.nanoTime();
        planted.pass(lookup);
        return System.nanoTime() - begin;
    }

    @Test
    void anEngineIsSlowWhereItMayBlockAndFindsTheSame(@TempDir Path folder) throws Exception {
        LocalEngine engine = LsmEngine.open(folder.resolve("store"), LsmOptions.defaults());
        try (LocalEngine slow = PlantedEngine.around(engine, new Planted.Delay(TIME))) {
            byte[] key = {1};
            slow.write(WriteBatch.of(new Mutation.Put(key, new byte[] {2})));

            assertThat(slow.tryGet(key)).isEqualTo(Lookup.Miss.WOULD_BLOCK);
            long begin = System.nanoTime();
            assertThat(slow.get(key)).isInstanceOf(Lookup.Found.class);
            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(TIME);
            assertThat(PlantedEngine.around(engine, new Planted.Nothing())).isSameAs(engine);
        }
    }
}
