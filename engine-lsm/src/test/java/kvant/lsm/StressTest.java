package kvant.lsm;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.settle;
import static kvant.engine.Samples.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import kvant.engine.Condition;
import kvant.engine.Crew;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.RecordingSink;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.sim.SimStorage;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Many threads on a real disk, with sizes so small that memtables are flushed and runs merged all the time.
///
/// Every write is a pair: the keys `a7` and `b7` get one value, which is used once. `-Dkvant.operations=N`
/// makes each writer write N times.
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StressTest {

    private static final int PAIRS = 10;
    private static final int WRITERS = 6;
    private static final int WRITES = Integer.getInteger("kvant.operations", 100);
    private static final int LARGE_BATCH = 1_000;
    private static final String PADDING = "x".repeat(3_000);

    @TempDir
    private Path directory = Path.of("");

    /// For each pair the largest version that was acknowledged.
    private final AtomicLongArray acknowledged = new AtomicLongArray(PAIRS);

    /// The value written with each version of a `b` key.
    private final Map<Long, String> written = new ConcurrentHashMap<>();

    private final AtomicInteger writing = new AtomicInteger(WRITERS);

    @Test
    void readsSeeEveryWriteThatEndedBeforeTheyBeganAndScansSeeWholeBatches() {
        try (LsmEngine engine = open()) {
            Crew.runAll(WRITERS + 4, number -> {
                if (number < WRITERS) {
                    writePairs(engine, number);
                } else if (number < WRITERS + 2) {
                    readPairs(engine, number);
                } else {
                    scanPairs(engine, number);
                }
            });
        }
        try (LsmEngine engine = open()) {
            assertEverythingIsThere(engine);
        }
    }

    @Test
    void aScanBesideALargeBatchSeesAllOfItOrNothing() {
        int rounds = 20;
        try (LsmEngine engine = open()) {
            writeRound(engine, 0);
            AtomicInteger round = new AtomicInteger();
            Crew.runAll(3, number -> {
                while (round.get() < rounds) {
                    if (number == 0) {
                        writeRound(engine, round.incrementAndGet());
                    } else {
                        List<Samples.Entry> seen = Samples.scan(engine, "", null);
                        assertThat(seen).hasSize(LARGE_BATCH);
                        assertThat(seen.stream().map(Samples.Entry::value).distinct())
                                .hasSize(1);
                    }
                }
            });
        }
    }

    @Test
    void noConditionalIncrementIsLost() {
        int increments = WRITES / 2;
        try (LsmEngine engine = open()) {
            Crew.runAll(8, number -> {
                if (number < 4) {
                    for (int i = 0; i < increments; i++) {
                        increment(engine);
                    }
                } else {
                    writePairs(engine, number); // keeps flush and compaction busy meanwhile
                }
            });
            assertThat(Samples.get(engine, "counter")).isEqualTo(String.valueOf(4 * increments));
        }
        try (LsmEngine engine = open()) {
            assertThat(Samples.get(engine, "counter")).isEqualTo(String.valueOf(4 * increments));
        }
    }

    @Test
    void conditionsAreJudgedWhileTheTablesThatDecideAreReplaced() {
        // Every group is flushed, and in memory that goes fast.
        try (LsmEngine engine = TestEngines.open(new SimStorage(), SimOptions.of(1, "none", 1))) {
            Samples.write(engine, Samples.put("there", "v"));
            WriteBatch refused = WriteBatch.of(Samples.delete("there")).when(new Condition.Absent());
            Crew.runAll(WRITERS + 3, number -> {
                if (number < WRITERS) {
                    writePairs(engine, number);
                }
                while (writing.get() > 0) {
                    RecordingSink sink = new RecordingSink();
                    for (int i = 0; i < 50; i++) {
                        engine.submit(new Write(refused, sink));
                    }
                    sink.awaitCompleted(50);
                    assertThat(sink.completed())
                            .allSatisfy(write -> assertThat(write.outcome())
                                    .as("%s", write.failure())
                                    .isEqualTo(Write.Outcome.REFUSED));
                }
            });
        }
    }

    @RepeatedTest(8)
    void closingEndsReadersWritersAndScannersWithClosedAndLosesNothing() {
        LsmEngine engine = open();
        AtomicInteger done = new AtomicInteger();
        Crew.runAll(10, number -> {
            if (number == 0) {
                while (done.get() < 300) {
                    Thread.onSpinWait();
                }
                engine.close();
                return;
            }
            try {
                for (int i = 0; ; i++) {
                    switch (number % 3) {
                        case 0 -> writePair(engine, number, i);
                        case 1 -> engine.get(bytes("b" + i % PAIRS));
                        default -> scanOnce(engine);
                    }
                    done.incrementAndGet();
                }
            } catch (EngineException.Closed _) {
                // The expected outcome for users of a closed engine.
            }
        });
        try (LsmEngine reopened = open()) {
            assertEverythingIsThere(reopened);
        }
    }

    private void writePairs(LsmEngine engine, int writer) {
        for (int i = 0; i < WRITES; i++) {
            writePair(engine, writer, i);
        }
        writing.decrementAndGet();
    }

    private void writePair(LsmEngine engine, int writer, int number) {
        int pair = (writer * 31 + number * 7) % PAIRS;
        String value = writer + ":" + number + PADDING;
        Write write = settle(
                engine,
                WriteBatch.of(List.of(
                        new Mutation.Put(bytes("a" + pair), bytes(value)),
                        new Mutation.Put(bytes("b" + pair), bytes(value)))));
        if (write.failure() instanceof EngineException failure) {
            throw failure;
        }
        written.put(write.version(), value);
        acknowledged.accumulateAndGet(pair, write.version(), Math::max);
    }

    private void readPairs(LsmEngine engine, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        while (writing.get() > 0) {
            int pair = random.nextInt(PAIRS);
            long atLeast = acknowledged.get(pair);
            if (engine.get(bytes("b" + pair)) instanceof Lookup.Found found) {
                assertThat(found.version()).isGreaterThanOrEqualTo(atLeast);
                String value = written.get(found.version());
                assertThat(value == null || value.equals(text(found.value()))).isTrue();
            } else {
                assertThat(atLeast).as("acknowledged, but absent").isZero();
            }
        }
    }

    private void scanPairs(LsmEngine engine, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        while (writing.get() > 0) {
            long[] atLeast = new long[PAIRS];
            for (int pair = 0; pair < PAIRS; pair++) {
                atLeast[pair] = acknowledged.get(pair);
            }
            int until = writing.get() > 1 ? random.nextInt(20) : 0;
            try (Cursor cursor = engine.scan(bytes("a"), bytes("c"))) {
                assertPairs(engine, cursor, atLeast, until);
            }
        }
    }

    /// Holds the cursor in the middle while the store moves on by some acknowledged writes.
    private void assertPairs(LsmEngine engine, Cursor cursor, long[] atLeast, int holdForWrites) {
        long[] versions = new long[PAIRS];
        String[] values = new String[PAIRS];
        int before = written.size();
        while (cursor.next()) {
            int pair = cursor.key()[1] - '0';
            if (cursor.key()[0] == 'a') {
                versions[pair] = cursor.version();
                values[pair] = text(cursor.value());
            } else {
                assertThat(cursor.version()).as("of one batch").isEqualTo(versions[pair] + 1);
                assertThat(text(cursor.value())).isEqualTo(values[pair]);
                assertThat(cursor.version()).isGreaterThanOrEqualTo(atLeast[pair]);
            }
            while (pair == PAIRS / 2 && writing.get() > 1 && written.size() < before + holdForWrites) {
                Thread.yield();
            }
        }
    }

    private void scanOnce(LsmEngine engine) {
        try (Cursor cursor = engine.scan(bytes("a"), bytes("c"))) {
            assertPairs(engine, cursor, new long[PAIRS], 0);
        }
    }

    private static void writeRound(LsmEngine engine, int round) {
        List<Mutation> mutations = new ArrayList<>();
        for (int i = 0; i < LARGE_BATCH; i++) {
            mutations.add(Samples.put("key" + i, "round" + round));
        }
        Samples.write(engine, WriteBatch.of(mutations));
    }

    private static void increment(LsmEngine engine) {
        while (true) {
            byte[] key = bytes("counter");
            Lookup current = engine.get(key);
            Condition unchanged = current instanceof Lookup.Found found
                    ? new Condition.VersionIs(found.version())
                    : new Condition.Absent();
            long next = current instanceof Lookup.Found found ? Long.parseLong(text(found.value())) + 1 : 1;
            WriteBatch batch = WriteBatch.of(new Mutation.Put(key, bytes(String.valueOf(next))));
            Write write = settle(engine, batch.when(unchanged));
            if (write.failure() instanceof EngineException failure) {
                throw failure;
            }
            if (write.outcome() == Write.Outcome.APPLIED) {
                return;
            }
        }
    }

    private void assertEverythingIsThere(LsmEngine engine) {
        for (int pair = 0; pair < PAIRS; pair++) {
            long version = acknowledged.get(pair);
            if (version > 0) {
                // A write may have been applied that its writer did not hear of any more.
                assertThat(Samples.version(engine, "b" + pair)).isGreaterThanOrEqualTo(version);
                assertThat(Samples.get(engine, "a" + pair)).isEqualTo(Samples.get(engine, "b" + pair));
            }
        }
    }

    private LsmEngine open() {
        return LsmEngine.open(directory.resolve("data"), SimOptions.of(1, "none", 270 << 10));
    }
}
