package kvant.lsm;

import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import kvant.engine.Durability;
import kvant.engine.GroupCommit;
import kvant.engine.Limits;
import kvant.lsm.compaction.Picker;

/// Every bound of the engine, by name. [#defaults] suits any heap from 128 MB up.
///
/// @param durability what an acknowledgement promises
/// @param memtableBytes a memtable is sealed at this size
/// @param maxSealedMemtables how many may wait for their flush before writes wait too
/// @param blockBytes a data block is finished at this size
/// @param tableBytes a table is finished at this size
/// @param picker decides what is merged
/// @param headroomBytes writes are refused while the disk has less room than this, so that what was accepted
///     can still be flushed and merged
/// @param manifestBytes a manifest is begun anew when it has grown by this much and has doubled
/// @param maxScanLife a scan that is older is broken off, so that it does not keep old files for ever
/// @param commit bounds of the group commit
/// @param limits bounds of keys and values
/// @param clock the wall clock, for expiry only: no order depends on it
/// @param random gives the ids of files, to several threads at once
public record LsmOptions(
        Durability durability,
        long memtableBytes,
        int maxSealedMemtables,
        int blockBytes,
        long tableBytes,
        Picker picker,
        long headroomBytes,
        long manifestBytes,
        Duration maxScanLife,
        GroupCommit.Options commit,
        Limits limits,
        InstantSource clock,
        RandomGenerator random) {

    private static final long SMALLEST_MEMTABLE_BYTES = 1 << 20;
    private static final long LARGEST_MEMTABLE_BYTES = 64 << 20;
    private static final long LARGEST_QUEUE_BYTES = 64 << 20;
    private static final long BASE_HEADROOM_BYTES = 16 << 20;

    public LsmOptions {
        if (memtableBytes < 1 || maxSealedMemtables < 1 || blockBytes < 1 || tableBytes < 1) {
            throw new IllegalArgumentException("sizes and counts are at least 1");
        }
    }

    /// A sixteenth of the heap for each memtable, within bounds.
    public static LsmOptions defaults() {
        long heapBytes = Runtime.getRuntime().maxMemory();
        long memtableBytes = Math.clamp(heapBytes / 16, SMALLEST_MEMTABLE_BYTES, LARGEST_MEMTABLE_BYTES);
        return new LsmOptions(
                Durability.ALWAYS,
                memtableBytes,
                2,
                4 << 10,
                64 << 20,
                Picker.DEFAULT,
                BASE_HEADROOM_BYTES + 2 * memtableBytes,
                1 << 20,
                Duration.ofMinutes(10),
                new GroupCommit.Options(Math.min(LARGEST_QUEUE_BYTES, heapBytes / 8), 4 << 20),
                Limits.DEFAULT,
                InstantSource.system(),
                RandomGenerator.of("SecureRandom"));
    }

    public LsmOptions withDurability(Durability newDurability) {
        return new LsmOptions(
                newDurability,
                memtableBytes,
                maxSealedMemtables,
                blockBytes,
                tableBytes,
                picker,
                headroomBytes,
                manifestBytes,
                maxScanLife,
                commit,
                limits,
                clock,
                random);
    }

    /// Sizes of what is written; small ones make tests reach every state soon.
    public LsmOptions withSizes(long newMemtableBytes, int newBlockBytes, long newTableBytes) {
        return new LsmOptions(
                durability,
                newMemtableBytes,
                maxSealedMemtables,
                newBlockBytes,
                newTableBytes,
                picker,
                headroomBytes,
                manifestBytes,
                maxScanLife,
                commit,
                limits,
                clock,
                random);
    }

    public LsmOptions withPicker(Picker newPicker) {
        return new LsmOptions(
                durability,
                memtableBytes,
                maxSealedMemtables,
                blockBytes,
                tableBytes,
                newPicker,
                headroomBytes,
                manifestBytes,
                maxScanLife,
                commit,
                limits,
                clock,
                random);
    }

    public LsmOptions withHeadroom(long newHeadroomBytes) {
        return new LsmOptions(
                durability,
                memtableBytes,
                maxSealedMemtables,
                blockBytes,
                tableBytes,
                picker,
                newHeadroomBytes,
                manifestBytes,
                maxScanLife,
                commit,
                limits,
                clock,
                random);
    }

    public LsmOptions withManifestBytes(long newManifestBytes) {
        return new LsmOptions(
                durability,
                memtableBytes,
                maxSealedMemtables,
                blockBytes,
                tableBytes,
                picker,
                headroomBytes,
                newManifestBytes,
                maxScanLife,
                commit,
                limits,
                clock,
                random);
    }

    public LsmOptions withMaxScanLife(Duration newMaxScanLife) {
        return new LsmOptions(
                durability,
                memtableBytes,
                maxSealedMemtables,
                blockBytes,
                tableBytes,
                picker,
                headroomBytes,
                manifestBytes,
                newMaxScanLife,
                commit,
                limits,
                clock,
                random);
    }

    /// The outside world, for tests that replace it.
    public LsmOptions withWorld(InstantSource newClock, RandomGenerator newRandom) {
        return new LsmOptions(
                durability,
                memtableBytes,
                maxSealedMemtables,
                blockBytes,
                tableBytes,
                picker,
                headroomBytes,
                manifestBytes,
                maxScanLife,
                commit,
                limits,
                newClock,
                newRandom);
    }
}
