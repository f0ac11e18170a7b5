package kvant.lsm.table;

import java.lang.foreign.MemorySegment;
import kvant.lsm.bytes.KeyRange;
import kvant.lsm.bytes.UnpinnedMemory;
import kvant.lsm.cache.CacheSlots;
import kvant.lsm.cache.Cached;
import org.jspecify.annotations.Nullable;

/// The key index of an open table. For as long as the table is open, memory holds eight bytes of the last key of each
/// partition; the partitions themselves are in the cache while they are needed. A table of version 1 has a single
/// one, which stays.
///
///     key -> partition: filter -> data block
final class TableIndex {

    // Constant.
    private final TableFile file;
    private final TableDescriptor.Footer footer;
    private final TableContext context;
    private final Residency residency;
    private final MemorySegment partitions; // in the file: last key and place of each
    private final int count;
    private final int blocks;
    private final byte[] smallestKey;
    private final KeyRange keys;
    private final long[] fences; // of their last keys, one next to the other
    private final KeyRange.IsBefore isBefore; // whether a partition ends before a key
    private final CacheSlots slots;
    private final BlockBits checked;

    /// The single partition of a table of version 1.
    private final @Nullable Partition whole;

    TableIndex(TableFile file, TableDescriptor.Footer footer, TableProperties properties, TableContext context) {
        this.file = file;
        this.footer = footer;
        this.context = context;
        this.residency = file.residency(context.resident());
        this.smallestKey = properties.smallestKey();
        this.partitions = file.checkedPages(footer.index(), false);
        this.count = footer.isPartitioned() ? IndexDescriptor.count(partitions) : 1;
        this.blocks =
                footer.isPartitioned() ? Math.toIntExact(footer.blocks().offset()) : IndexDescriptor.count(partitions);
        this.keys = new KeyRange(smallestKey, properties.largestKey());
        this.fences = new long[footer.isPartitioned() ? count : 0];
        for (int partition = 0; partition < fences.length; partition++) {
            fences[partition] = keys.fence(IndexDescriptor.lastKey(partitions, partition));
        }
        this.isBefore = (number, key) -> IndexDescriptor.compareLastKey(partitions, number, key) < 0;
        this.slots = context.cache().slots(footer.isPartitioned() ? count : 0);
        this.checked = new BlockBits(count);
        this.whole = footer.isPartitioned() ? null : wholeTable(properties);
    }

    /// The number of data blocks.
    int blocks() {
        return blocks;
    }

    /// The number of partitions.
    int count() {
        return count;
    }

    /// The only partition that can hold a key.
    ///
    /// @return their number when every one ends before the key
    int find(byte[] key) {
        if (whole != null) {
            return 0;
        }
        return keys.firstNotBefore(fences, key, isBefore);
    }

    /// A partition, for a point read.
    ///
    /// @param mayBlock false to get null instead of waiting for a disk
    @Nullable
    Partition partition(int number, boolean mayBlock) {
        if (whole != null) {
            return whole;
        }
        Cached kept = slots.get(number);
        return kept == null ? loaded(number, mayBlock) : (Partition) kept;
    }

    /// The first data block of a partition whose last key is not before this key.
    ///
    /// @return its number in the partition
    int findBlock(int number, byte[] key) {
        while (true) {
            Partition partition = partition(number, true);
            try {
                return partition == null ? 0 : partition.find(key);
            } catch (IllegalStateException e) {
                file.refuseRetired();
                if (partition == null || !partition.isEvicted()) {
                    throw e;
                }
                UnpinnedMemory.dropInterrupt();
            }
        }
    }

    /// Checks the checksum of the index of the partitions, which was checked when the table was opened.
    void checkPartitions() {
        file.checked(footer.index());
    }

    /// The index of a partition's data blocks, in the file, for scans and merges: they read through it once.
    ///
    /// @param again whether its checksum is checked although it was before
    MemorySegment indexOf(int number, boolean again) {
        if (whole != null) {
            return partitions;
        }
        return PartitionDescriptor.index(content(number, again));
    }

    /// The number in the table of a partition's first data block.
    int firstBlock(int number) {
        return whole != null ? 0 : PartitionDescriptor.firstBlock(content(number, false));
    }

    void close() {
        context.cache().close(slots);
    }

    private @Nullable Partition loaded(int number, boolean mayBlock) {
        file.refuseRetired();
        BlockHandle place = IndexDescriptor.handle(partitions, number);
        boolean resident = residency.isResident(place.offset(), place.length() + (long) TableDescriptor.TRAILER_BYTES);
        if (!resident && !mayBlock) {
            return null;
        }
        context.loadedPartition();
        MemorySegment content = file.checkedPages(place, resident);
        MemorySegment index = PartitionDescriptor.index(content);
        byte[] lowest = number == 0 ? smallestKey : IndexDescriptor.lastKey(partitions, number - 1);
        KeyRange range = new KeyRange(lowest, IndexDescriptor.lastKey(partitions, number));
        Partition.Shape shape = shape(PartitionDescriptor.firstBlock(content), range, index);
        return (Partition) context.cache()
                .put(slots, number, Partition.decode(shape, PartitionDescriptor.filter(content), place.offset()));
    }

    private Partition wholeTable(TableProperties properties) {
        KeyRange range = new KeyRange(smallestKey, properties.largestKey());
        return Partition.decode(
                shape(0, range, partitions),
                file.checkedPages(footer.blocks(), false),
                footer.blocks().offset());
    }

    private Partition.Shape shape(int firstBlock, KeyRange range, MemorySegment index) {
        int covered = IndexDescriptor.count(index);
        CacheSlots contents = context.cache().slots(footer.compressions() == 0 ? 0 : covered);
        return new Partition.Shape(covered, firstBlock, range, index, contents);
    }

    /// A partition in the file, whose checksum is computed once for as long as the table is open, and again where
    /// that is asked for.
    private MemorySegment content(int number, boolean again) {
        BlockHandle place = IndexDescriptor.handle(partitions, number);
        if (!again && checked.get(number)) {
            return file.content(place);
        }
        boolean right = false;
        try {
            MemorySegment content = file.checked(place);
            right = true;
            checked.set(number);
            return content;
        } finally {
            if (!right) {
                checked.clear(number); // a scan checks it again too
            }
        }
    }
}
