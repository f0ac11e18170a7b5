package kvant.lsm;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import kvant.engine.Durability;
import kvant.engine.GroupCommit;
import kvant.engine.Limits;
import kvant.lsm.commit.WriteThrottle;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.store.StoreOptions;
import kvant.lsm.table.TableOptions;
import kvant.lsm.value.ValueOptions;

/// The bounds of the engine, by name. [#defaults] suits any heap from 128 MiB up.
///
///     LsmOptions.defaults().with(o -> o.durability = Durability.NONE)
///
/// @param durability guarantee of an acknowledgement
/// @param memtableBytes a memtable is sealed at this size
/// @param maxSealedMemtables memtables that may wait for their flush before writes wait too
/// @param maxSealedBytes memory that those may hold, of which one may take more; 0 for the memory of that many full
///     memtables, each too large by one group
/// @param throttle slowdown of writes while flush and compaction lag behind
/// @param preallocatedBytes size of the files of zeros into which logs are written under [Durability#ALWAYS]: one is
///     in use, at most one more is ready, and an idle store has none. 0 to let logs grow instead
/// @param table sizes of blocks and tables
/// @param values which are kept out of tables, and how much space they may take there
/// @param compaction picker, threads and rate of merges
/// @param headroomBytes writes are refused while the disk has less free space than this, so that accepted data can
///     still be flushed and merged
/// @param maxDataBytes writes are refused while the store has as much, or [#UNLIMITED]
/// @param retainedLogBytes bytes of logs that recovery no longer needs, kept for followers of changes; 0 for none.
///     They are deleted first when the disk is full. [#AS_FOUND] is for tools
/// @param heldLogBytes bytes of them kept until [kvant.engine.feed.ChangeFeed#copied] reports that an archive has
///     them; 0 for none
/// @param replayThreads runs written concurrently while logs are replayed, each of records that take a memtable's
///     memory
/// @param logPlace location of the logs
/// @param manifestBytes a manifest is rewritten when it has grown by this much and has doubled
/// @param maxScanLife an older scan is aborted, so that it does not keep old files
/// @param maxPinnedMemtableBytes when flushed memtables that scans still hold take more memory, the oldest of these
///     scans are aborted
/// @param maxOpenScans more scans at a time are refused
/// @param commit bounds of the group commit
/// @param limits bounds of keys and values
/// @param clock the wall clock, for expiry only: no order depends on it
/// @param random gives the ids of files, to several threads at once
@SuppressWarnings("exports") // types visible in packages below
public record LsmOptions(
        Durability durability,
        long memtableBytes,
        int maxSealedMemtables,
        long maxSealedBytes,
        WriteThrottle throttle,
        long preallocatedBytes,
        TableOptions table,
        ValueOptions values,
        CompactionOptions compaction,
        long headroomBytes,
        long maxDataBytes,
        long retainedLogBytes,
        long heldLogBytes,
        int replayThreads,
        LogPlace logPlace,
        long manifestBytes,
        Duration maxScanLife,
        long maxPinnedMemtableBytes,
        int maxOpenScans,
        GroupCommit.Options commit,
        Limits limits,
        InstantSource clock,
        RandomGenerator random)
        implements StoreOptions {

    /// For a store that may have as much as the disk holds.
    public static final long UNLIMITED = Long.MAX_VALUE;

    /// A value of [#retainedLogBytes] for tools that do not know the node's setting: if logs are kept, the bound is
    /// their present size; otherwise none are kept.
    public static final long AS_FOUND = StoreOptions.AS_FOUND;

    private static final long SMALLEST_MEMTABLE_BYTES = 1 << 20;
    private static final long LARGEST_MEMTABLE_BYTES = 64 << 20;
    private static final long LARGEST_SEGMENT_BYTES = 8 << 20;
    private static final long LARGEST_QUEUE_BYTES = 64 << 20;
    private static final long BASE_HEADROOM_BYTES = 16 << 20;

    private static final int COMPACTION_THREADS =
            Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 4);

    public LsmOptions {
        if (memtableBytes < 1 || maxSealedMemtables < 1) {
            throw new IllegalArgumentException("sizes and counts are at least 1");
        }
        if (replayThreads < 1) {
            throw new IllegalArgumentException("at least 1 thread replays");
        }
        if (maxOpenScans < 1) {
            throw new IllegalArgumentException("at least 1 range may be open");
        }
        if (maxDataBytes < 1) {
            throw new IllegalArgumentException("a store may have at least 1 byte");
        }
        if (maxSealedBytes < 0 || preallocatedBytes < 0 || heldLogBytes < 0 || retainedLogBytes < AS_FOUND) {
            throw new IllegalArgumentException("sizes are at least 0");
        }
    }

    /// A sixteenth of the heap for each memtable, within bounds.
    public static LsmOptions defaults() {
        return new Draft().options();
    }

    /// These options with some changed.
    public LsmOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    public LsmOptions withDurability(Durability durability) {
        return with(draft -> draft.durability = durability);
    }

    /// A log ends with its memtable: preallocated zeros beyond that are wasted.
    private static long segmentBytes(long memtableBytes) {
        return Math.min(LARGEST_SEGMENT_BYTES, memtableBytes);
    }

    /// Sets another size of memtables, and the defaults derived from it: logs, tables, levels and headroom that fit
    /// it.
    public LsmOptions withMemtable(long bytes) {
        return with(draft -> {
            draft.memtableBytes = bytes;
            draft.preallocatedBytes = segmentBytes(bytes);
            draft.table = draft.table.withTableBytes(TableOptions.beside(bytes).tableBytes());
            draft.headroomBytes = BASE_HEADROOM_BYTES + 2 * bytes;
            draft.compaction = new CompactionOptions(
                    Leveled.above(bytes), draft.compaction.threads(), draft.compaction.bytesPerSecond());
        });
    }

    /// Options in the making; begins with the defaults.
    public static final class Draft {

        private static final long HEAP_BYTES = Runtime.getRuntime().maxMemory();

        /// Several times the memory of a scan.
        private static final long HEAP_BYTES_PER_SCAN = 64 << 10;

        public Durability durability = Durability.ALWAYS;
        public long memtableBytes = Math.clamp(HEAP_BYTES / 16, SMALLEST_MEMTABLE_BYTES, LARGEST_MEMTABLE_BYTES);
        public int maxSealedMemtables = 2;
        public long maxSealedBytes = 0;
        public WriteThrottle throttle = WriteThrottle.DEFAULT;
        public long preallocatedBytes = segmentBytes(memtableBytes);
        public TableOptions table = TableOptions.beside(memtableBytes);
        public ValueOptions values = ValueOptions.DEFAULT;
        public CompactionOptions compaction =
                new CompactionOptions(Leveled.above(memtableBytes), COMPACTION_THREADS, CompactionOptions.BY_LOAD);
        public long headroomBytes = BASE_HEADROOM_BYTES + 2 * memtableBytes;
        public long maxDataBytes = UNLIMITED;
        public long retainedLogBytes = 0;
        public long heldLogBytes = 0;
        public int replayThreads = 2;
        public LogPlace logPlace = LogPlace.INSIDE;
        public long manifestBytes = 1 << 20;
        public Duration maxScanLife = Duration.ofMinutes(10);
        public long maxPinnedMemtableBytes = HEAP_BYTES / 8;
        public int maxOpenScans = Math.clamp(HEAP_BYTES / HEAP_BYTES_PER_SCAN, 256, 16_384);
        public GroupCommit.Options commit =
                new GroupCommit.Options(Math.min(LARGEST_QUEUE_BYTES, HEAP_BYTES / 8), 4 << 20);
        public Limits limits = Limits.DEFAULT;
        public InstantSource clock = InstantSource.system();
        public RandomGenerator random = new SecureRandom();

        private Draft() {}

        private Draft(LsmOptions options) {
            durability = options.durability;
            memtableBytes = options.memtableBytes;
            maxSealedMemtables = options.maxSealedMemtables;
            maxSealedBytes = options.maxSealedBytes;
            throttle = options.throttle;
            preallocatedBytes = options.preallocatedBytes;
            table = options.table;
            values = options.values;
            compaction = options.compaction;
            headroomBytes = options.headroomBytes;
            maxDataBytes = options.maxDataBytes;
            retainedLogBytes = options.retainedLogBytes;
            heldLogBytes = options.heldLogBytes;
            replayThreads = options.replayThreads;
            logPlace = options.logPlace;
            manifestBytes = options.manifestBytes;
            maxScanLife = options.maxScanLife;
            maxPinnedMemtableBytes = options.maxPinnedMemtableBytes;
            maxOpenScans = options.maxOpenScans;
            commit = options.commit;
            limits = options.limits;
            clock = options.clock;
            random = options.random;
        }

        private LsmOptions options() {
            return new LsmOptions(
                    durability,
                    memtableBytes,
                    maxSealedMemtables,
                    maxSealedBytes,
                    throttle,
                    preallocatedBytes,
                    table,
                    values,
                    compaction,
                    headroomBytes,
                    maxDataBytes,
                    retainedLogBytes,
                    heldLogBytes,
                    replayThreads,
                    logPlace,
                    manifestBytes,
                    maxScanLife,
                    maxPinnedMemtableBytes,
                    maxOpenScans,
                    commit,
                    limits,
                    clock,
                    random);
        }
    }
}
