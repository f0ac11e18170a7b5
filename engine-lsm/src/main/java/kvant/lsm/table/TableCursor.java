package kvant.lsm.table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.RecordCursor;

/// Walks the records of one table, block by block, in place. Belongs to one thread; its owner pins the table.
final class TableCursor implements RecordCursor {

    private final Table table;
    private final MemorySegment file;
    private final MemorySegment index;
    private final int blocks;

    // The current block.
    private int blockNumber;
    private long block;
    private int blockLength;
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
        this.file = table.file();
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
            throw table.explained(e, block);
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
            throw table.explained(e, block);
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
            MemorySegment.copy(file, ValueLayout.JAVA_BYTE, block + valueAt, target, offset, valueLength);
            table.requireWhole(block, blockLength);
        } catch (IllegalStateException | InternalError e) {
            throw table.explained(e, block);
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
        block = IndexDescriptor.blockOffset(index, blockNumber);
        blockLength = IndexDescriptor.blockLength(index, blockNumber);
        table.check(blockNumber, block, blockLength);
        table.requireWhole(block, blockLength);
        recordsEnd = BlockDescriptor.recordsEnd(
                blockLength,
                BlockDescriptor.restartCount(file, block, blockLength),
                BlockDescriptor.markCount(file, block, blockLength));
        nextRecord = 0;
        keyLength = 0;
        return true;
    }

    private void decode() {
        long shared = BlockDescriptor.varint(file, block, nextRecord);
        long unshared = BlockDescriptor.varint(file, block, BlockDescriptor.place(shared));
        long value = BlockDescriptor.varint(file, block, BlockDescriptor.place(unshared));
        int tagAt = BlockDescriptor.place(value);
        int sharedLength = BlockDescriptor.value(shared);
        int unsharedLength = BlockDescriptor.value(unshared);
        reserveKey(sharedLength + unsharedLength, sharedLength);
        MemorySegment.copy(file, ValueLayout.JAVA_BYTE, block + tagAt + Long.BYTES, key, sharedLength, unsharedLength);
        keyLength = sharedLength + unsharedLength;
        tag = BlockDescriptor.tag(file, block + tagAt);
        if (tag == 0) {
            table.requireWhole(block, blockLength); // no record has this tag
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
