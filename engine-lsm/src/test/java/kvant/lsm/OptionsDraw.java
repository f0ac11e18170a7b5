package kvant.lsm;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import kvant.engine.Durability;
import kvant.lsm.commit.WriteThrottle;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.compaction.Picker;
import kvant.lsm.compaction.Universal;
import kvant.lsm.table.Compression;
import kvant.lsm.table.TableOptions;
import kvant.lsm.value.ValueOptions;

/// Draws options of the engine at random: all that change how a store is written, within bounds that let small
/// histories meet every part of it.
final class OptionsDraw {

    /// Writes slow down a little and stop rarely, and none fails because it had to wait.
    private static final WriteThrottle PATIENT = new WriteThrottle(
            Duration.ofSeconds(20), Duration.ofMillis(1), Duration.ofSeconds(60), 8, 24, 1L << 30, 2L << 30);

    private OptionsDraw() {}

    static LsmOptions draw(RandomGenerator random, InstantSource clock) {
        // An arena begins with slabs of more than 256 KiB: below that it is sealed after every group.
        long memtable =
                random.nextInt(3) == 0 ? between(random, 1 << 10, 1 << 20) : between(random, 280 << 10, 1 << 20);
        Durability durability = durability(random);
        TableOptions table = table(random);
        CompactionOptions compaction = compaction(random);
        long preallocated = random.nextBoolean() ? 0 : between(random, 40, 40 << 10);
        ValueOptions values = values(random);
        int sealed = 1 + random.nextInt(3);
        long manifest = between(random, 200, 100 << 10);
        long files = random.nextLong();
        long retained = random.nextBoolean() ? 0 : between(random, 64 << 10, 4 << 20);
        return LsmOptions.defaults().withDurability(durability).with(o -> {
            o.memtableBytes = memtable;
            o.maxSealedMemtables = sealed;
            o.throttle = PATIENT;
            o.table = table;
            o.values = values;
            o.compaction = compaction;
            o.preallocatedBytes = preallocated;
            o.headroomBytes = 0;
            o.manifestBytes = manifest;
            o.retainedLogBytes = retained;
            o.clock = clock;
            o.random = new Random(files);
        });
    }

    /// The drawn options, in one line.
    static String show(LsmOptions o) {
        return o.durability() + ", " + o.memtableBytes() + " x " + o.maxSealedMemtables() + ", "
                + o.table() + ", " + o.values() + ", " + o.compaction() + ", preallocated " + o.preallocatedBytes()
                + ", manifest "
                + o.manifestBytes() + ", retained logs " + o.retainedLogBytes();
    }

    private static Durability durability(RandomGenerator random) {
        return switch (random.nextInt(3)) {
            case 0 -> Durability.ALWAYS;
            case 1 -> new Durability.Interval(Duration.ofMillis(1 + random.nextInt(20)));
            default -> Durability.NONE;
        };
    }

    private static TableOptions table(RandomGenerator random) {
        int block = (int) between(random, 128, 16 << 10);
        long table = between(random, 600, 64 << 10);
        List<Compression> levels = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            levels.add(Compression.values()[random.nextInt(Compression.values().length)]);
        }
        long cache = List.of(0L, between(random, 2 << 10, 64 << 10), 8L << 20).get(random.nextInt(3));
        return new TableOptions(block, table, levels, cache);
    }

    private static ValueOptions values(RandomGenerator random) {
        long from = random.nextInt(3) == 0 ? ValueOptions.NEVER : between(random, 4, 8 << 10);
        return new ValueOptions(from, between(random, 500, 64 << 10), 1.01 + random.nextDouble());
    }

    private static CompactionOptions compaction(RandomGenerator random) {
        int runs = 1 + random.nextInt(4);
        Picker picker = random.nextBoolean()
                ? new Leveled(runs, between(random, 1_000, 100_000), 2 + random.nextInt(4))
                : new Universal(1 + Math.max(1, runs), 5 + random.nextInt(4));
        long rate = random.nextInt(4) == 0 ? between(random, 1 << 20, 16 << 20) : 0;
        return new CompactionOptions(picker, 1 + random.nextInt(3), rate);
    }

    /// Small sizes as often as large ones.
    private static long between(RandomGenerator random, long least, long most) {
        return (long) (least * Math.pow((double) most / least, random.nextDouble()));
    }
}
