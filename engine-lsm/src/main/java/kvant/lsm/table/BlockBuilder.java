package kvant.lsm.table;

import java.util.Arrays;
import kvant.lsm.bytes.ByteWriter;
import kvant.lsm.record.RecordView;

/// Builds one data block. Reused from block to block. Belongs to one thread.
final class BlockBuilder {

    /// Largest buffer kept between blocks: one large value makes one large block, whose memory is released.
    private static final int KEPT_BYTES = 64 << 10;

    /// Three varints, the tag, a restart point, a mark.
    private static final int MAX_RECORD_OVERHEAD_BYTES = 3 * 5 + Long.BYTES + Integer.BYTES + 1;

    private final ByteWriter content = new ByteWriter(KEPT_BYTES);
    private final ByteWriter restarts = new ByteWriter(1 << 10);
    private final ByteWriter marks = new ByteWriter(1 << 10);
    private byte[] lastKey = new byte[64];
    private int lastKeyLength;
    private int records;

    /// @param hash of the key, from [Keys#hash]
    void add(RecordView record, long hash) {
        addWithoutValue(record, hash);
        int length = record.valueLength();
        int valueAt = content.skip(length);
        record.copyValue(0, content.array(), valueAt, length);
    }

    /// Adds the only record of a block, without copying its value.
    ///
    /// @return the block up to the value; the value follows, and then [#finishBehindValue]
    ByteWriter addAlone(RecordView record, long hash) {
        addWithoutValue(record, hash);
        return content;
    }

    private void addWithoutValue(RecordView record, long hash) {
        byte[] key = record.keyArray();
        int offset = record.keyOffset();
        int length = record.keyLength();
        int shared = 0;
        if (records % BlockDescriptor.RESTART_INTERVAL == 0) {
            restarts.putInt(content.size());
        } else {
            shared = Arrays.mismatch(lastKey, 0, lastKeyLength, key, offset, offset + length);
            shared = shared < 0 ? length : shared;
        }
        BlockDescriptor.encodeRecordHead(shared, length - shared, record.valueLength(), record.tag(), content);
        content.putBytes(key, offset + shared, length - shared);
        remember(key, offset, length);
        if (records < BlockDescriptor.MAX_MARKS) {
            marks.putByte(BlockDescriptor.mark(hash));
        }
        records++;
    }

    int size() {
        return content.size() + restarts.size() + marks.size() + BlockDescriptor.TAIL_BYTES;
    }

    /// The largest possible size of the block with this record added.
    int sizeWith(RecordView record) {
        return size() + MAX_RECORD_OVERHEAD_BYTES + record.keyLength() + record.valueLength();
    }

    boolean isEmpty() {
        return records == 0;
    }

    /// The finished content, valid until the next call.
    ByteWriter finish() {
        content.putBytes(restarts.array(), 0, restarts.size());
        int markCount = records <= BlockDescriptor.MAX_MARKS ? marks.size() : 0;
        content.putBytes(marks.array(), 0, markCount);
        content.putInt(markCount);
        content.putInt(restarts.size() / Integer.BYTES);
        return content;
    }

    /// The rest of the block behind the value of [#addAlone], valid until the next call.
    ByteWriter finishBehindValue() {
        content.clear();
        return finish();
    }

    byte[] lastKey() {
        return Arrays.copyOf(lastKey, lastKeyLength);
    }

    void clear() {
        content.clear(KEPT_BYTES);
        restarts.clear();
        marks.clear();
        lastKeyLength = 0;
        records = 0;
    }

    private void remember(byte[] key, int offset, int length) {
        if (lastKey.length < length) {
            lastKey = new byte[Math.max(length, lastKey.length * 2)];
        }
        System.arraycopy(key, offset, lastKey, 0, length);
        lastKeyLength = length;
    }
}
