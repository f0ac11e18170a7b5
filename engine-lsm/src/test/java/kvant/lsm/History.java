package kvant.lsm;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import kvant.engine.Condition;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.engine.WriteBatch;

/// A random history of writes, and what a store holds after each of its prefixes.
///
/// The versions are part of it: each mutation that is applied takes the next one.
public final class History {

    /// One write, and whether its condition holds at its place.
    record Step(WriteBatch batch, boolean applies) {}

    /// Each expiry time is well before or after this moment, never near it.
    static final long NOW_MILLIS = 1_000_000_000_000L;

    private static final int KEYS = 16;

    private final RandomGenerator random;
    private final int largeValueBytes;
    private final List<Step> steps = new ArrayList<>();
    private final List<List<Samples.Entry>> states = new ArrayList<>();
    private final Map<String, Samples.Entry> state = new TreeMap<>();
    private long version;

    /// @param largeValueBytes size of every fifth value or so
    History(int length, int largeValueBytes, RandomGenerator random) {
        this.random = random;
        this.largeValueBytes = largeValueBytes;
        states.add(List.of());
        for (int i = 0; i < length; i++) {
            steps.add(step(i));
            states.add(List.copyOf(state.values()));
        }
    }

    List<Step> steps() {
        return steps;
    }

    /// The content of the store after so many steps.
    List<Samples.Entry> state(int steps) {
        return states.get(steps);
    }

    private Step step(int number) {
        List<Mutation> mutations = new ArrayList<>();
        for (int i = random.nextInt(4) == 0 ? 1 + random.nextInt(6) : 1; i > 0; i--) {
            mutations.add(mutation(number));
        }
        Samples.Entry current = state.get(text(mutations.getFirst().key()));
        Condition condition = condition(current);
        boolean applies = switch (condition) {
            case Condition.None _ -> true;
            case Condition.Absent _ -> current == null;
            case Condition.Present _ -> current != null;
            case Condition.VersionIs is -> current != null && current.version() == is.version();
        };
        if (applies) {
            mutations.forEach(this::apply);
        }
        return new Step(WriteBatch.of(mutations).when(condition), applies);
    }

    private Mutation mutation(int number) {
        byte[] key = bytes("key" + random.nextInt(KEYS));
        if (random.nextInt(4) == 0) {
            return new Mutation.Delete(key);
        }
        boolean large = random.nextInt(5) == 0;
        int length = large ? largeValueBytes : random.nextInt(120);
        byte[] value = bytes(number + ":" + random.nextInt() + "x".repeat(length));
        return switch (random.nextInt(8)) {
            case 0 -> new Mutation.Put(key, value, NOW_MILLIS - 1_000);
            case 1 -> new Mutation.Put(key, value, NOW_MILLIS + 1_000);
            default -> new Mutation.Put(key, value);
        };
    }

    private Condition condition(Samples.Entry current) {
        return switch (random.nextInt(10)) {
            case 0 -> new Condition.Absent();
            case 1 -> new Condition.Present();
            case 2 -> new Condition.VersionIs(current == null ? 1 : current.version());
            default -> Condition.NONE;
        };
    }

    private void apply(Mutation mutation) {
        version++;
        String key = text(mutation.key());
        switch (mutation) {
            case Mutation.Put put
            when put.expiresAtMillis() == Mutation.Put.NEVER || put.expiresAtMillis() > NOW_MILLIS ->
                state.put(key, new Samples.Entry(key, text(put.value()), version));
            default -> state.remove(key);
        }
    }
}
