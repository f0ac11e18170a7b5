package kvant.lsm.table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import kvant.lsm.bytes.Keys;
import kvant.lsm.bytes.UnpinnedMemory;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.record.Tag;
import kvant.lsm.record.WouldBlock;
import kvant.lsm.table.CompressedBlocks.DecompressedBlock;
import org.jspecify.annotations.Nullable;

/// Walks the records of one table, block by block, in place; compressed blocks in a copy. Belongs to one
/// thread; its owner pins the table.
final class TableCursor implements RecordCursor {

    /// The source and the checks of a cursor.
    enum Mode {
        /// The mapping with read-ahead; checks blocks that have not been checked since the table was opened.
        SCAN,
        /// The same; checks all that it reads.
        CHECK,
        /// The part that is in memory; throws [WouldBlock] for the rest.
        RESIDENT
    }

    private final Table table;
    private final TableFile file;
    private final TableIndex index;
    private final Mode mode;

    // The current partition.
    private int partition;
    private MemorySegment blocks; // their index
    private @Nullable Partition resident; // instead of that, in its mode
    private int firstBlock;
    private int count;

    // The current block.
    private int blockNumber; // in the partition
    private MemorySegment content; // the file, or the block decompressed
    private long block; // where it begins in that
    private int blockLength;
    private long blockOffset; // where it begins in the file
    private int recordsEnd;
    private int nextRecord;

    // The current record.
    private byte[] key = new byte[64];
    private int keyLength;
    private long tag;
    private int valueAt;
    private int valueLength;

    TableCursor(Table table, TableFile file, TableIndex index, Mode mode) {
        this.table = table;
        this.file = file;
        this.index = index;
        this.mode = mode;
        this.content = file.file();
        this.blocks = file.file();
        this.partition = index.count();
    }

    @Override
    public boolean seek(byte[] wanted) {
        try {
            if (mode == Mode.CHECK) {
                index.checkPartitions();
            }
            partition = index.find(wanted);
            if (!enterPartition()) {
                return false;
            }
            blockNumber = resident == null ? index.findBlock(partition, wanted) : resident.find(wanted);
            if (blockNumber == count) {
                partition = index.count();
                return false;
            }
            enterBlock();
            do {
                decode();
                if (Keys.compare(wanted, MemorySegment.ofArray(key), 0, keyLength) <= 0) {
                    return true;
                }
            } while (nextRecord < recordsEnd || nextBlock());
            return false;
        } catch (IllegalStateException | InternalError | IndexOutOfBoundsException e) {
            throw explained(e);
        }
    }

    @Override
    public boolean next() {
        if (partition >= index.count()) {
            return false;
        }
        try {
            if (nextRecord >= recordsEnd && !nextBlock()) {
                return false;
            }
            decode();
            return true;
        } catch (IllegalStateException | InternalError | IndexOutOfBoundsException e) {
            throw explained(e);
        }
    }

    @Override
    public byte[] keyArray() {
        return key;
    }

    @Override
    public int keyOffset() {
        return 0;
    }

    @Override
    public int keyLength() {
        return keyLength;
    }

    @Override
    public long tag() {
        return tag;
    }

    @Override
    public int valueLength() {
        return valueLength;
    }

    @Override
    public void copyValue(int from, byte[] target, int offset, int length) {
        try {
            MemorySegment.copy(content, ValueLayout.JAVA_BYTE, block + valueAt + from, target, offset, length);
            file.requireWhole(content, block, blockLength, blockOffset);
        } catch (IllegalStateException | InternalError | IndexOutOfBoundsException e) {
            throw explained(e);
        }
    }

    private boolean nextBlock() {
        blockNumber++;
        if (blockNumber >= count) {
            partition++;
            blockNumber = 0;
            if (!enterPartition()) {
                return false;
            }
        }
        enterBlock();
        return true;
    }

    private boolean enterPartition() {
        if (partition >= index.count()) {
            return false;
        }
        if (mode == Mode.RESIDENT) {
            Partition entered = index.partition(partition, false);
            if (entered == null) {
                throw WouldBlock.INSTANCE;
            }
            resident = entered;
            firstBlock = entered.firstBlock();
            count = entered.blocks();
            return true;
        }
        blocks = index.indexOf(partition, mode == Mode.CHECK);
        firstBlock = index.firstBlock(partition);
        count = IndexDescriptor.count(blocks);
        return true;
    }

    private void enterBlock() {
        if (resident == null) {
            enterBlockOfFile();
        } else {
            enterResidentBlock(resident);
        }
        file.requireWhole(content, block, blockLength, blockOffset);
        recordsEnd = BlockDescriptor.recordsEnd(
                blockLength,
                BlockDescriptor.restartCount(content, block, blockLength),
                BlockDescriptor.markCount(content, block, blockLength));
        nextRecord = 0;
        keyLength = 0;
    }

    private void enterBlockOfFile() {
        blockOffset = IndexDescriptor.blockOffset(blocks, blockNumber);
        blockLength = IndexDescriptor.blockLength(blocks, blockNumber);
        int number = firstBlock + blockNumber;
        byte[] decompressed = table.decompressed(number, blockOffset, blockLength);
        if (decompressed != null) {
            content = MemorySegment.ofArray(decompressed);
            block = 0;
            blockLength = decompressed.length;
        } else {
            content = file.file();
            block = blockOffset;
            if (mode == Mode.CHECK) {
                table.recheck(content, number, block, blockLength);
            } else {
                table.check(content, number, block, blockLength);
            }
        }
    }

    private void enterResidentBlock(Partition from) {
        blockOffset = from.blockOffset(blockNumber);
        DecompressedBlock decompressed = table.content(from, blockNumber, false);
        if (decompressed == DecompressedBlock.NOT_RESIDENT) {
            throw WouldBlock.INSTANCE;
        }
        if (decompressed != null) {
            content = decompressed.memory();
            block = decompressed.offset();
            blockLength = decompressed.bytes();
        } else {
            content = file.pages();
            block = blockOffset;
            blockLength = from.blockLength(blockNumber);
        }
    }

    private RuntimeException explained(Throwable e) {
        if (mode == Mode.RESIDENT && e instanceof IllegalStateException) {
            file.refuseRetired();
            UnpinnedMemory.dropInterrupt();
            return WouldBlock.INSTANCE; // the cache has evicted the entry meanwhile
        }
        return file.explained(e, blockOffset);
    }

    private void decode() {
        long shared = BlockDescriptor.varint(content, block, nextRecord);
        long unshared = BlockDescriptor.varint(content, block, BlockDescriptor.place(shared));
        long value = BlockDescriptor.varint(content, block, BlockDescriptor.place(unshared));
        int tagAt = BlockDescriptor.place(value);
        int sharedLength = BlockDescriptor.value(shared);
        int unsharedLength = BlockDescriptor.value(unshared);
        valueLength = BlockDescriptor.value(value);
        Objects.checkFromIndexSize(tagAt + Long.BYTES, (long) unsharedLength + valueLength, recordsEnd);
        reserveKey(Objects.checkIndex(sharedLength, keyLength + 1) + unsharedLength, sharedLength);
        MemorySegment.copy(
                content, ValueLayout.JAVA_BYTE, block + tagAt + Long.BYTES, key, sharedLength, unsharedLength);
        keyLength = sharedLength + unsharedLength;
        tag = BlockDescriptor.tag(content, block + tagAt);
        if (tag == 0) {
            file.requireWhole(content, block, blockLength, blockOffset); // no record has this tag
        }
        valueAt = tagAt + Long.BYTES + unsharedLength;
        nextRecord = valueAt + valueLength;
        BlockCheck.requireKind(Tag.kind(tag), valueLength);
    }

    private void reserveKey(int length, int kept) {
        if (key.length < length) {
            byte[] larger = new byte[Math.max(length, key.length * 2)];
            System.arraycopy(key, 0, larger, 0, kept);
            key = larger;
        }
    }
}
