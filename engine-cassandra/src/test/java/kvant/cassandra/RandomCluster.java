package kvant.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import kvant.engine.Condition;
import kvant.engine.Engine;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.RecordingSink;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;

/// Random operations on a cluster and on a map, and their comparison: as the general one of the contract, but for
/// what a cluster promises otherwise (conditions of batches, snapshots). Writes go in bursts that are not waited
/// for, so that ordinary writes, batches and conditions of the same keys meet.
final class RandomCluster {

    private static final byte[] KEY_BYTES = {0, 1, 'k', 0x7f, (byte) 0x80, (byte) 0xff};

    private record Expected(Write write, boolean applied) {}

    private final Engine engine;
    private final long seed;
    private final Random random;
    private final TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);

    RandomCluster(Engine engine, long seed) {
        this.engine = engine;
        this.seed = seed;
        this.random = new Random(seed);
    }

    void perform(int operations) {
        try {
            for (int i = 0; i < operations; i++) {
                int dice = random.nextInt(100);
                if (dice < 50) {
                    burst();
                } else if (dice < 85) {
                    look();
                } else {
                    scanSome();
                }
            }
        } catch (Throwable e) {
            throw new AssertionError("random operations failed; repeat with -Dkvant.seed=" + seed, e);
        }
    }

    private void burst() {
        RecordingSink sink = new RecordingSink();
        List<Expected> burst = new ArrayList<>();
        int writes = random.nextInt(3) == 0 ? 1 + random.nextInt(12) : 1;
        for (int i = 0; i < writes; i++) {
            WriteBatch batch = randomBatch();
            byte[] first = batch.mutations().getFirst().key();
            byte[] value = model.get(first);
            boolean applies = batch.condition().holds(value == null ? Lookup.Miss.ABSENT : new Lookup.Found(value, 0));
            if (applies) {
                apply(batch);
            }
            Write write = new Write(batch, sink);
            burst.add(new Expected(write, applies));
            engine.submit(write);
        }
        sink.awaitCompleted(writes);
        for (Expected one : burst) {
            assertThat(one.write().outcome())
                    .as("%s (%s)", one.write().batch().condition(), one.write().failure())
                    .isEqualTo(one.applied() ? Write.Outcome.APPLIED : Write.Outcome.REFUSED);
        }
    }

    private WriteBatch randomBatch() {
        int size = random.nextInt(3) == 0 ? 1 + random.nextInt(6) : 1;
        List<Mutation> mutations = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            mutations.add(randomMutation());
        }
        WriteBatch batch = WriteBatch.of(mutations);
        if (size > 1) {
            return batch;
        }
        return switch (random.nextInt(6)) {
            case 0 -> batch.when(new Condition.Absent());
            case 1 -> batch.when(new Condition.Present());
            default -> batch;
        };
    }

    private Mutation randomMutation() {
        byte[] key = randomKey();
        byte[] value = new byte[random.nextInt(20)];
        random.nextBytes(value);
        return switch (random.nextInt(10)) {
            case 0, 1, 2 -> new Mutation.Delete(key);
            case 3 -> new Mutation.Put(key, value, 1 + random.nextInt(1_000_000)); // over long ago
            case 4 -> new Mutation.Put(key, value, Long.MAX_VALUE - random.nextInt(1_000));
            default -> new Mutation.Put(key, value);
        };
    }

    private void apply(WriteBatch batch) {
        for (Mutation mutation : batch.mutations()) {
            if (mutation instanceof Mutation.Put put
                    && (put.expiresAtMillis() == Mutation.Put.NEVER || put.expiresAtMillis() > 1_000_000)) {
                model.put(put.key(), put.value());
            } else {
                model.remove(mutation.key());
            }
        }
    }

    private void look() {
        byte[] key = randomKey();
        byte[] value = model.get(key);
        assertThat(Samples.valueOf(Samples.read(engine, key)))
                .as("get %s", Arrays.toString(key))
                .isEqualTo(value == null ? null : Samples.text(value));
    }

    private void scanSome() {
        byte[] from = random.nextInt(5) == 0 ? new byte[0] : randomKey();
        List<String> expected = new ArrayList<>();
        model.tailMap(from, true).forEach((key, value) -> expected.add(Samples.text(key) + "=" + Samples.text(value)));
        try (var cursor = engine.scan(from, null)) {
            assertThat(Samples.rest(cursor))
                    .as("scan from %s", Arrays.toString(from))
                    .extracting(entry -> entry.key() + "=" + entry.value())
                    .isEqualTo(expected);
        }
    }

    private byte[] randomKey() {
        byte[] key = new byte[1 + random.nextInt(2)];
        for (int i = 0; i < key.length; i++) {
            key[i] = KEY_BYTES[random.nextInt(KEY_BYTES.length)];
        }
        return key;
    }
}
