package kvant.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import kvant.engine.Condition;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.RecordingSink;
import kvant.engine.Write;
import kvant.engine.WriteBatch;

/// Random writes to an engine and to its model at once. Belongs to one thread.
///
/// Keys are few, so that most writes meet an earlier one; no two values of some length are the same.
public final class RandomWrites {

    private static final int LONGEST_KEY = 3;

    /// Outcome of a refused write.
    private static final long REFUSED = -1;

    /// A write under way, and the version that it must get.
    private record Expected(Write write, long version) {}

    /// Writes that were submitted one after the other without waiting.
    record Burst(RecordingSink sink, List<Expected> writes) {

        /// Waits for all, and looks at what became of them.
        void await() {
            sink.awaitCompleted(writes.size());
            for (Expected each : writes) {
                Write write = each.write();
                boolean applies = each.version() != REFUSED;
                assertThat(write.outcome())
                        .as("%s, %s", write.batch().condition(), write.failure())
                        .isEqualTo(applies ? Write.Outcome.APPLIED : Write.Outcome.REFUSED);
                if (applies) {
                    assertThat(write.version()).isEqualTo(each.version());
                }
            }
        }

        /// The version of the last write that has been acknowledged by now.
        long acknowledged() {
            return sink.completed().stream()
                    .filter(write -> write.outcome() == Write.Outcome.APPLIED)
                    .mapToLong(Write::version)
                    .max()
                    .orElse(0);
        }

        @Override
        public String toString() {
            return Integer.toString(writes.size());
        }
    }

    private final Random random;
    private final VersionedModel model;
    private final LongSupplier clockMillis;
    private long values;

    RandomWrites(Random random, VersionedModel model, LongSupplier clockMillis) {
        this.random = random;
        this.model = model;
        this.clockMillis = clockMillis;
    }

    byte[] key() {
        return Seeds.key(random, LONGEST_KEY);
    }

    /// Some of them perhaps the same.
    byte[][] keys(int count) {
        byte[][] keys = new byte[count][];
        for (int i = 0; i < count; i++) {
            keys[i] = key();
        }
        return keys;
    }

    /// Submits some writes, which share commit groups where the engine likes, and applies them to the model.
    Burst submit(LsmEngine engine) {
        RecordingSink sink = new RecordingSink();
        List<Expected> burst = new ArrayList<>();
        for (int i = random.nextInt(4) == 0 ? 1 + random.nextInt(16) : 1; i > 0; i--) {
            WriteBatch batch = batch();
            boolean applies = model.apply(batch, clockMillis.getAsLong());
            Write write = new Write(batch, sink);
            burst.add(new Expected(write, applies ? model.now() : REFUSED));
            engine.submit(write);
        }
        return new Burst(sink, burst);
    }

    private WriteBatch batch() {
        List<Mutation> mutations = new ArrayList<>();
        for (int i = random.nextInt(3) == 0 ? 1 + random.nextInt(8) : 1; i > 0; i--) {
            mutations.add(mutation());
        }
        WriteBatch batch = WriteBatch.of(mutations);
        boolean right = random.nextInt(4) != 0;
        return switch (random.nextInt(8)) {
            case 0 -> batch.when(new Condition.Absent());
            case 1 -> batch.when(new Condition.Present());
            case 2 ->
                batch.when(new Condition.VersionIs(version(mutations.getFirst().key()) - (right ? 0 : 1)));
            default -> batch;
        };
    }

    private long version(byte[] key) {
        return model.find(key, model.now(), clockMillis.getAsLong()) instanceof Lookup.Found found
                ? found.version()
                : model.now();
    }

    private Mutation mutation() {
        byte[] key = key();
        return switch (random.nextInt(10)) {
            case 0, 1, 2 -> new Mutation.Delete(key);
            case 3, 4 -> new Mutation.Put(key, value(), clockMillis.getAsLong() - 100 + random.nextInt(2_000));
            default -> new Mutation.Put(key, value());
        };
    }

    /// Half of it noise, half of it the same byte, so that compression has something to do.
    private byte[] value() {
        byte[] value = new byte[length()];
        random.nextBytes(value);
        Arrays.fill(value, value.length / 2, value.length, (byte) 'v');
        if (value.length >= Long.BYTES) {
            ByteBuffer.wrap(value).putLong(++values);
        }
        return value;
    }

    /// From nothing to what memtables refer to instead of copying it.
    private int length() {
        return switch (random.nextInt(60)) {
            case 0 -> 15_000 + random.nextInt(5_000);
            case 1, 2, 3, 4, 5, 6 -> random.nextInt(3_000);
            case 7, 8, 9 -> 0;
            default -> random.nextInt(80);
        };
    }
}
