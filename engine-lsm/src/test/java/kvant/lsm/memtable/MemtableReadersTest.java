package kvant.lsm.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import kvant.engine.Lookup;
import kvant.lsm.Seeds;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.Reading;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.record.Tag;
import org.junit.jupiter.api.Test;

/// One writer and many readers on real threads. Key and value are functions of the sequence number, so that
/// a reader can tell a whole node from a half-written one.
class MemtableReadersTest {

    private static final int RECORDS = 120_000;
    private static final int READERS = 3;
    private static final int CHAINED_KEYS = 600;
    private static final long SEED = Seeds.seed(42);

    private final Memtable memtable = new ArenaMemtable(4 << 20);
    private final AtomicInteger published = new AtomicInteger();

    @Test
    void readersSeeOnlyWholeNodesInOrderAndEverythingThatWasPublished() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(READERS + 1)) {
            List<Future<?>> running = new ArrayList<>();
            running.add(threads.submit(this::write));
            for (int reader = 0; reader < READERS; reader++) {
                running.add(threads.submit(reading(new Random(SEED + reader))));
            }
            for (Future<?> each : running) {
                each.get();
            }
        }
        assertThat(memtable.count()).isEqualTo(RECORDS);
    }

    /// Sixty-four chains, in which keys are replaced all the time: no reader may lose the rest of a chain from
    /// where a key was replaced under it, or see less than was published.
    @Test
    void aReaderInAHashChainLosesNoKeyWhileVersionsAreReplaced() throws Exception {
        Memtable chains = new ArenaMemtable(1);
        AtomicIntegerArray newest = new AtomicIntegerArray(CHAINED_KEYS);
        try (ExecutorService threads = Executors.newFixedThreadPool(READERS)) {
            List<Future<?>> running = new ArrayList<>();
            running.add(threads.submit(() -> {
                Random random = new Random(SEED);
                for (int sequence = 1; sequence <= RECORDS; sequence++) {
                    int key = random.nextInt(CHAINED_KEYS);
                    chains.add(sequence, Tag.PUT, key(key), value(sequence), 0);
                    newest.set(key, sequence);
                }
                published.set(RECORDS);
            }));
            for (int reader = 1; reader < READERS; reader++) {
                Random random = new Random(SEED + reader);
                running.add(threads.submit(() -> {
                    while (published.get() < RECORDS) {
                        int key = random.nextInt(CHAINED_KEYS);
                        int atLeast = newest.get(key);
                        Lookup found = chains.find(key(key), Tag.NEWEST, Reading.by(InstantSource.system()));
                        boolean right = found instanceof Lookup.Found present
                                ? present.version() >= atLeast
                                        && Arrays.equals(present.value(), value((int) present.version()))
                                : found == null && atLeast == 0;
                        if (!right) {
                            throw new AssertionError("seed " + SEED + ": key " + key + " was published as " + atLeast
                                    + ", and read as " + found);
                        }
                    }
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        }
    }

    private void write() {
        for (int sequence = 1; sequence <= RECORDS; sequence++) {
            memtable.add(sequence, Tag.PUT, key(sequence), value(sequence), 0);
            published.set(sequence);
        }
    }

    private Callable<Integer> reading(Random random) {
        return () -> {
            int seen = 0;
            while (published.get() < RECORDS) {
                int newest = published.get();
                if (newest > 0) {
                    find(1 + random.nextInt(newest));
                    seen += walk(key(1 + random.nextInt(newest)));
                }
            }
            return seen;
        };
    }

    private void find(int sequence) {
        Lookup found = memtable.find(key(sequence), Tag.NEWEST, Reading.by(InstantSource.system()));
        boolean right = found instanceof Lookup.Found present
                && present.version() == sequence
                && Arrays.equals(present.value(), value(sequence));
        if (!right) {
            throw new AssertionError("seed " + SEED + ": record " + sequence + " was published, and read as " + found);
        }
    }

    private int walk(byte[] from) {
        RecordCursor cursor = memtable.cursor();
        byte[] last = from;
        int steps = 0;
        for (boolean on = cursor.seek(from); on && steps < 100; on = cursor.next()) {
            int sequence = (int) Tag.sequence(cursor.tag());
            byte[] key = cursor.key();
            boolean right = Arrays.equals(key, key(sequence))
                    && Arrays.equals(cursor.storedValue(), value(sequence))
                    && Keys.compare(last, key) <= 0;
            if (!right) {
                throw new AssertionError("seed " + SEED + ": a torn or misplaced node of record " + sequence);
            }
            last = key;
            steps++;
        }
        return steps;
    }

    private static byte[] key(int sequence) {
        return ByteBuffer.allocate(12)
                .putLong(sequence * 0x9E3779B97F4A7C15L)
                .putInt(sequence)
                .array();
    }

    private static byte[] value(int sequence) {
        byte[] value = new byte[sequence % 500 == 0 ? 20_000 : sequence % 40];
        Arrays.fill(value, (byte) sequence);
        return value;
    }
}
