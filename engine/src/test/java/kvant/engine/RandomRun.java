package kvant.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One run of random operations on an engine and on a map, and their comparison. Belongs to one thread.
///
/// Keys are few, so that most operations meet an earlier one. Writes go in bursts that are submitted without
/// waiting, so that they share commit groups; the map applies them one after the other, as the engine must
/// seem to.
final class RandomRun implements AutoCloseable {

    /// The version of a value that a burst has stored and that has not been reported yet.
    private static final long UNREPORTED = Long.MIN_VALUE;

    private static final byte[] KEY_BYTES = {0, 1, 'k', 0x7f, (byte) 0x80, (byte) 0xff};
    private static final Durability[] POLICIES = {
        Durability.NONE, new Durability.Interval(Duration.ofMillis(5)), Durability.ALWAYS
    };

    /// A value in the map.
    private record Value(byte[] bytes, long version) {}

    /// A cursor that is kept open, and what it has still to show.
    private record Held(Cursor cursor, List<Samples.Entry> expected) {}

    /// A write under way and what must become of it.
    private record Expected(Write write, boolean applied) {}

    private final ContractFixture fixture;
    private final Random random;
    private final TreeMap<byte[], Value> model = new TreeMap<>(Arrays::compareUnsigned);
    private final TreeMap<byte[], Long> newest = new TreeMap<>(Arrays::compareUnsigned);
    private final List<Held> held = new ArrayList<>();
    private Engine engine;
    private int step;
    private long lastVersion = Long.MIN_VALUE;

    RandomRun(ContractFixture fixture, long seed) {
        this.fixture = fixture;
        this.random = new Random(seed);
        this.engine = fixture.reopen(POLICIES[random.nextInt(POLICIES.length)]);
    }

    void perform(int operations) {
        for (step = 0; step < operations; step++) {
            int dice = random.nextInt(1_000);
            if (dice < 450) {
                burst();
            } else if (dice < 800) {
                look();
            } else if (dice < 920) {
                scanSome();
            } else if (dice < 960) {
                hold();
            } else if (dice < 993) {
                compareHeld();
            } else {
                reopen();
            }
        }
        reopen();
        compareAll();
    }

    @Override
    public void close() {
        held.forEach(one -> one.cursor().close());
    }

    private void burst() {
        RecordingSink sink = new RecordingSink();
        List<Expected> burst = new ArrayList<>();
        int writes = random.nextInt(4) == 0 ? 1 + random.nextInt(20) : 1;
        for (int i = 0; i < writes; i++) {
            WriteBatch batch = randomBatch();
            boolean applies = batch.condition().holds(expected(first(batch)));
            if (applies) {
                apply(batch, UNREPORTED);
            }
            Write write = new Write(batch, sink);
            burst.add(new Expected(write, applies));
            engine.submit(write);
        }
        sink.awaitCompleted(writes);
        for (Expected one : burst) {
            assertThat(one.write().outcome())
                    .as(
                            "step %d: %s of %s",
                            step,
                            one.write().batch().condition(),
                            show(first(one.write().batch())))
                    .isEqualTo(one.applied() ? Write.Outcome.APPLIED : Write.Outcome.REFUSED);
        }
        learnVersions(burst);
    }

    private WriteBatch randomBatch() {
        int size = random.nextInt(3) == 0 ? 1 + random.nextInt(8) : 1;
        List<Mutation> mutations = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            mutations.add(randomMutation());
        }
        WriteBatch batch = WriteBatch.of(mutations);
        return switch (random.nextInt(8)) {
            case 0 -> batch.when(new Condition.Absent());
            case 1 -> batch.when(new Condition.Present());
            case 2 -> batch.when(new Condition.VersionIs(randomVersion(first(batch))));
            default -> batch;
        };
    }

    private Mutation randomMutation() {
        byte[] key = randomKey();
        return switch (random.nextInt(10)) {
            case 0, 1, 2 -> new Mutation.Delete(key);
            case 3 -> new Mutation.Put(key, randomValue(), 1 + random.nextInt(1_000_000));
            case 4 -> new Mutation.Put(key, randomValue(), Long.MAX_VALUE - random.nextInt(1_000));
            default -> new Mutation.Put(key, randomValue());
        };
    }

    /// Mostly the current version, so that the condition holds.
    private long randomVersion(byte[] key) {
        Value current = model.get(key);
        if (current == null || current.version() == UNREPORTED) {
            return lastVersion == Long.MIN_VALUE ? 0 : lastVersion - random.nextInt(3);
        }
        return random.nextInt(4) == 0 ? current.version() - 1 : current.version();
    }

    private void apply(WriteBatch batch, long version) {
        for (Mutation mutation : batch.mutations()) {
            if (mutation instanceof Mutation.Put put && !expired(put)) {
                model.put(put.key(), new Value(put.value(), version));
            } else {
                model.remove(mutation.key());
            }
        }
    }

    private static boolean expired(Mutation.Put put) {
        return put.expiresAtMillis() != Mutation.Put.NEVER && put.expiresAtMillis() <= 1_000_000;
    }

    /// Takes over the versions that the engine gave, which the map cannot know: each key's only have to grow.
    private void learnVersions(List<Expected> burst) {
        TreeMap<byte[], Long> learned = new TreeMap<>(Arrays::compareUnsigned);
        model.forEach((key, value) -> {
            if (value.version() == UNREPORTED && Samples.read(engine, key) instanceof Lookup.Found found) {
                assertNewer(key, found.version());
                learned.put(key, found.version());
            }
        });
        for (Expected one : burst) {
            if (one.applied()) {
                byte[] last = one.write().batch().mutations().getLast().key();
                lastVersion = one.write().version();
                assertNewer(last, lastVersion);
                newest.put(last, lastVersion);
            }
        }
        learned.forEach((key, version) -> {
            model.computeIfPresent(key, (_, value) -> new Value(value.bytes(), version));
            newest.merge(key, version, Math::max);
        });
    }

    private void assertNewer(byte[] key, long version) {
        assertThat(version)
                .as("step %d: versions of %s grow", step, show(key))
                .isGreaterThan(newest.getOrDefault(key, Long.MIN_VALUE));
    }

    private void look() {
        byte[] key = randomKey();
        Lookup wanted = expected(key);
        Lookup got = Samples.lookup(engine, key);
        assertThat(show(got)).as("step %d: get %s", step, show(key)).isEqualTo(show(wanted));
    }

    private void scanSome() {
        byte[] from = random.nextInt(5) == 0 ? new byte[0] : randomKey();
        byte[] to = random.nextInt(5) == 0 ? null : randomKey();
        try (Cursor cursor = engine.scan(from, to)) {
            assertThat(Samples.rest(cursor))
                    .as("step %d: scan [%s, %s)", step, show(from), to == null ? "end" : show(to))
                    .isEqualTo(expectedRange(from, to));
        }
        if (engine instanceof LocalEngine local) {
            long limit = random.nextInt(20);
            List<Samples.Entry> shown = Samples.shortScan(local, new Range(from, to, limit), 1 << 20);
            List<Samples.Entry> all = expectedRange(from, to);
            if (shown != null) {
                assertThat(shown)
                        .as("step %d: %d records of [%s, %s)", step, limit, show(from), to == null ? "end" : show(to))
                        .isEqualTo(all.subList(0, (int) Math.min(limit, all.size())));
            }
        }
    }

    private void hold() {
        if (held.size() == 8) {
            compareHeld();
        }
        byte[] from = randomKey();
        held.add(new Held(engine.scan(from, null), expectedRange(from, null)));
    }

    private void compareHeld() {
        if (held.isEmpty()) {
            return;
        }
        Held one = held.remove(random.nextInt(held.size()));
        try (Cursor cursor = one.cursor()) {
            assertThat(Samples.rest(cursor)).as("step %d: held snapshot", step).isEqualTo(one.expected());
        }
    }

    private void reopen() {
        while (!held.isEmpty()) {
            compareHeld();
        }
        engine = fixture.reopen(POLICIES[random.nextInt(POLICIES.length)]);
    }

    private void compareAll() {
        assertThat(Samples.scan(engine, "", null)).isEqualTo(expectedRange(new byte[0], null));
    }

    private Lookup expected(byte[] key) {
        Value value = model.get(key);
        return value == null ? Lookup.Miss.ABSENT : new Lookup.Found(value.bytes(), value.version());
    }

    private List<Samples.Entry> expectedRange(byte[] from, byte @Nullable [] to) {
        List<Samples.Entry> entries = new ArrayList<>();
        model.tailMap(from, true).forEach((key, value) -> {
            if (to == null || Arrays.compareUnsigned(key, to) < 0) {
                entries.add(new Samples.Entry(Samples.text(key), Samples.text(value.bytes()), value.version()));
            }
        });
        return entries;
    }

    private byte[] randomKey() {
        byte[] key = new byte[1 + random.nextInt(2)];
        for (int i = 0; i < key.length; i++) {
            key[i] = KEY_BYTES[random.nextInt(KEY_BYTES.length)];
        }
        return key;
    }

    private byte[] randomValue() {
        byte[] value = new byte[random.nextInt(40) == 0 ? random.nextInt(20_000) : random.nextInt(20)];
        random.nextBytes(value);
        return value;
    }

    private static byte[] first(WriteBatch batch) {
        return batch.mutations().getFirst().key();
    }

    private static String show(byte[] key) {
        return Arrays.toString(key);
    }

    private static String show(Lookup lookup) {
        return lookup instanceof Lookup.Found found
                ? "version " + found.version() + " " + Arrays.toString(found.value())
                : lookup.toString();
    }
}
