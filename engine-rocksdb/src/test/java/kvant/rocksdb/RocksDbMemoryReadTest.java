package kvant.rocksdb;

import static kvant.engine.Samples.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvant.engine.Cursor;
import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.Range;
import kvant.engine.Samples;
import kvant.engine.WriteBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// `tryGet` answers from memory or says that it cannot; it never answers wrongly and never reads a disk.
class RocksDbMemoryReadTest {

    private static final int KEYS = 5_000;

    @TempDir
    private Path temporary = Path.of("");

    @ParameterizedTest
    @EnumSource
    void aColdKeyWouldBlockUntilItHasBeenRead(Preset preset) {
        fillAndFlush(preset);
        try (LocalEngine engine = open(preset)) {
            assertThat(engine.tryGet(bytes(key(7)))).isEqualTo(Lookup.Miss.WOULD_BLOCK);
            assertThat(engine.tryGet(bytes(key(7)))).as("asking does not load").isEqualTo(Lookup.Miss.WOULD_BLOCK);
            assertThat(Samples.valueOf(engine.get(bytes(key(7))))).isEqualTo(value(7));
            assertThat(Samples.valueOf(engine.tryGet(bytes(key(7))))).isEqualTo(value(7));
        }
    }

    @Test
    void anEvictedBlockWouldBlockAgain() {
        fillAndFlush(Preset.TUNED);
        RocksDbOptions small = RocksDbOptions.defaults().withBlockCacheBytes(64 << 10);
        try (LocalEngine engine = RocksDbEngine.open(temporary, small)) {
            int wouldBlock = 0;
            for (int i = 0; i < KEYS; i++) {
                assertThat(Samples.valueOf(engine.get(bytes(key(i))))).isEqualTo(value(i));
            }
            for (int i = 0; i < KEYS; i++) {
                Lookup eager = engine.tryGet(bytes(key(i)));
                if (eager == Lookup.Miss.WOULD_BLOCK) {
                    wouldBlock++;
                } else {
                    assertThat(Samples.valueOf(eager)).isEqualTo(value(i));
                }
            }
            assertThat(wouldBlock).isGreaterThan(KEYS / 2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aColdShortRangeWouldBlockUntilItHasBeenRead(Preset preset) {
        fillAndFlush(preset);
        Range range = Range.of(bytes(key(7)), null).limit(3);
        try (LocalEngine engine = open(preset)) {
            assertThat(engine.tryScan(range, 10_000, (_, _, _, _) -> {})).isEqualTo(LocalEngine.Reach.WOULD_BLOCK);
            assertThat(engine.tryScan(range, 10_000, (_, _, _, _) -> {}))
                    .as("asking does not load")
                    .isEqualTo(LocalEngine.Reach.WOULD_BLOCK);
            try (Cursor cursor = engine.scan(range)) {
                assertThat(Samples.shortScan(engine, range, 10_000)).isEqualTo(Samples.rest(cursor));
            }
        }
    }

    @Test
    void whatWasJustWrittenIsInMemory() {
        try (LocalEngine engine = open(Preset.TUNED)) {
            Samples.write(engine, Samples.put("fresh", ""));
            assertThat(Samples.valueOf(engine.tryGet(bytes("fresh")))).isEmpty();
            assertThat(engine.tryGet(bytes("absent"))).isEqualTo(Lookup.Miss.ABSENT);
        }
    }

    @Test
    void aFilterInMemoryAnswersForAbsentKeys() {
        fillAndFlush(Preset.TUNED);
        try (LocalEngine engine = open(Preset.TUNED)) {
            engine.get(bytes(key(1)));
            int absent = 0;
            for (int i = 0; i < 1_000; i++) {
                Lookup eager = engine.tryGet(bytes(key(i) + "?"));
                assertThat(eager).isInstanceOf(Lookup.Miss.class);
                absent += eager == Lookup.Miss.ABSENT ? 1 : 0;
            }
            assertThat(absent).isGreaterThan(950);
        }
    }

    private void fillAndFlush(Preset preset) {
        RocksDbOptions options = RocksDbOptions.defaults().withPreset(preset).withWriteBufferBytes(64 << 10);
        try (RocksDbEngine engine = RocksDbEngine.open(temporary, options)) {
            List<Mutation> puts = new ArrayList<>();
            for (int i = 0; i < KEYS; i++) {
                puts.add(Samples.put(key(i), value(i)));
            }
            Samples.write(engine, WriteBatch.of(puts));
            engine.flush();
        }
    }

    private LocalEngine open(Preset preset) {
        return RocksDbEngine.open(temporary, RocksDbOptions.defaults().withPreset(preset));
    }

    private static String key(int i) {
        return String.format("key%06d", i);
    }

    private static String value(int i) {
        return Samples.text(Samples.noise(200, i));
    }
}
