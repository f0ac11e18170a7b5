package kvant.lsm.table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.RecordCursor;

/// Walks the records of one table, block by block, in place; compressed blocks in a copy. Belongs to
/// one thread; its owner pins the table.
final class TableCursor implements RecordCursor {

    private final Table table;
    private final MemorySegment index;
    private final int blocks;

    // The current block.
    private int blockNumber;
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

    TableCursor(Table table) {
        this.table = table;
        this.content = table.file();
        this.index = table.index();
        this.blocks = IndexDescriptor.count(index);
        this.blockNumber = blocks;
    }

    @Override
    public boolean seek(byte[] wanted) {
        try {
            blockNumber = table.fences().find(wanted);
            if (!enterBlock()) {
                return false;
            }
            do {
                decode();
                if (Keys.compare(wanted, MemorySegment.ofArray(key), 0, keyLength) <= 0) {
                    return true;
                }
            } while (nextRecord < recordsEnd || nextBlock());
            return false;
        } catch (IllegalStateException | InternalError | IndexOutOfBoundsException e) {
            throw table.explained(e, blockOffset);
        }
    }

    @Override
    public boolean next() {
        if (blockNumber >= blocks) {
            return false;
        }
        try {
            if (nextRecord >= recordsEnd && !nextBlock()) {
                return false;
            }
            decode();
            return true;
        } catch (IllegalStateException | InternalError | IndexOutOfBoundsException e) {
            throw table.explained(e, blockOffset);
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
    public void copyValue(byte[] target, int offset) {
        try {
            MemorySegment.copy(content, ValueLayout.JAVA_BYTE, block + valueAt, target, offset, valueLength);
            table.requireWhole(content, block, blockLength, blockOffset);
        } catch (IllegalStateException | InternalError | IndexOutOfBoundsException e) {
            throw table.explained(e, blockOffset);
        }
    }

    private boolean nextBlock() {
        blockNumber++;
        return enterBlock();
    }

    private boolean enterBlock() {
        if (blockNumber >= blocks) {
            return false;
        }
        blockOffset = IndexDescriptor.blockOffset(index, blockNumber);
        blockLength = IndexDescriptor.blockLength(index, blockNumber);
        MemorySegment decompressed = table.decompressed(blockNumber, blockOffset, blockLength);
        if (decompressed != null) {
            content = decompressed;
            block = 0;
            blockLength = (int) decompressed.byteSize();
        } else {
            content = table.file();
            block = blockOffset;
            table.check(content, blockNumber, block, blockLength);
        }
        table.requireWhole(content, block, blockLength, blockOffset);
        recordsEnd = BlockDescriptor.recordsEnd(
                blockLength,
                BlockDescriptor.restartCount(content, block, blockLength),
                BlockDescriptor.markCount(content, block, blockLength));
        nextRecord = 0;
        keyLength = 0;
        return true;
    }

    private void decode() {
        long shared = BlockDescriptor.varint(content, block, nextRecord);
        long unshared = BlockDescriptor.varint(content, block, BlockDescriptor.place(shared));
        long value = BlockDescriptor.varint(content, block, BlockDescriptor.place(unshared));
        int tagAt = BlockDescriptor.place(value);
        int sharedLength = BlockDescriptor.value(shared);
        int unsharedLength = BlockDescriptor.value(unshared);
        reserveKey(sharedLength + unsharedLength, sharedLength);
        MemorySegment.copy(
                content, ValueLayout.JAVA_BYTE, block + tagAt + Long.BYTES, key, sharedLength, unsharedLength);
        keyLength = sharedLength + unsharedLength;
        tag = BlockDescriptor.tag(content, block + tagAt);
        if (tag == 0) {
            table.requireWhole(content, block, blockLength, blockOffset); // no record has this tag
        }
        valueAt = tagAt + Long.BYTES + unsharedLength;
        valueLength = BlockDescriptor.value(value);
        nextRecord = valueAt + valueLength;
    }

    private void reserveKey(int length, int kept) {
        if (key.length < length) {
            byte[] larger = new byte[Math.max(length, key.length * 2)];
            System.arraycopy(key, 0, larger, 0, kept);
            key = larger;
        }
    }
}
