package kvant.lsm;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.SplittableRandom;
import kvant.engine.Durability;
import kvant.lsm.commit.WriteThrottle;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.compaction.Picker;
import kvant.lsm.compaction.Universal;
import kvant.lsm.table.TableOptions;
import kvant.lsm.value.ValueOptions;

/// Options of small stores, in which a few writes are enough for flushes, merges and new manifests.
public final class SimOptions {

    /// Of a cache as large as by default, one chunk would be more than all of such a store.
    private static final long CACHE_BYTES = 256 << 10;

    /// On a machine that is busy with other things, writes wait instead of failing.
    private static final WriteThrottle PATIENT = new WriteThrottle(
            Duration.ofSeconds(20), Duration.ofMillis(1), Duration.ofHours(1), 20, 36, 16L << 30, 64L << 30);

    /// A table takes a few records of those that refer to their values.
    private static final int FEW_RECORDS_BYTES = 150;
    /// Less than two tables: each part of a full merge is small.
    private static final int SMALL_PARTS_BYTES = 400;
    /// Level 0 goes into a last level of many tables, which threads divide among themselves.
    private static final int ONE_LEVEL_BYTES = 1 << 16;

    private SimOptions() {}

    public static LsmOptions of(long seed, String durability, int memtableBytes) {
        return LsmOptions.defaults()
                .withDurability(Durability.parse(durability))
                .with(o -> {
                    o.memtableBytes = memtableBytes;
                    o.table = new TableOptions(64, 600).withCache(CACHE_BYTES);
                    o.values = values(seed);
                    o.compaction = CompactionOptions.of(
                            (seed + durability.length()) % 2 == 0 ? new Universal(2, 3) : new Leveled(2, 1_200, 3));
                    o.preallocatedBytes = 0;
                    o.throttle = PATIENT;
                    o.headroomBytes = 0;
                    o.manifestBytes = 300;
                    o.clock = InstantSource.fixed(Instant.ofEpochMilli(History.NOW_MILLIS));
                    o.random = new Random(seed);
                });
    }

    /// With two seeds of three, values leave tables, in files of a few values each that are soon emptied.
    private static ValueOptions values(long seed) {
        return seed % 3 == 0 ? ValueOptions.DEFAULT : new ValueOptions(4 << seed % 3, 300, 1.1);
    }

    /// Makes merges have parts: full merges with one thread, any merges with several.
    ///
    /// @param threads that merge; 0 for options as they are
    static LsmOptions inParts(int threads, LsmOptions options) {
        if (threads == 0) {
            return options;
        }
        Picker picker = options.compaction().picker();
        if (threads == 1 || picker instanceof Leveled) { // by size, one thread merges the whole store in one part
            picker = new Leveled(2, threads == 1 ? SMALL_PARTS_BYTES : ONE_LEVEL_BYTES, 3);
        }
        CompactionOptions compaction = new CompactionOptions(picker, threads, 0);
        return options.with(o -> {
            o.table = o.table.withTableBytes(FEW_RECORDS_BYTES);
            o.compaction = compaction;
        });
    }

    /// With every other seed logs are preallocated, in sizes from less than a record to several groups.
    static LsmOptions preallocating(long seed, LsmOptions options) {
        int bytes = seed % 2 == 0 ? 0 : 40 << new SplittableRandom(seed).nextInt(10);
        return options.with(o -> o.preallocatedBytes = bytes);
    }
}
