package kvant.lsm.table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.ByteWriter;
import kvant.lsm.bytes.Keys;

/// Layout of an index: for every data block of a partition, or for every partition of a table, its last key
/// and its place. Fixed-size entries, so that a binary search needs no decoding, and the prefix of the key in
/// the entry, so that most steps need not touch the key.
///
/// Format document: docs/formats/table.md
///
///     content = count (4) zero (4) entry ... keys
///     entry   = prefix of key (8) block offset (8) block length (4) key length (4) key offset in content (8)
final class IndexDescriptor {

    private static final int HEAD_BYTES = 8;
    private static final int ENTRY_BYTES = 32;
    private static final int BLOCK_OFFSET_AT = 8;
    private static final int BLOCK_LENGTH_AT = 16;
    private static final int KEY_LENGTH_AT = 20;
    private static final int KEY_OFFSET_AT = 24;

    private record Entry(byte[] lastKey, BlockHandle block) {}

    /// Collects the entries of a table that is being written.
    static final class Builder {
        private final List<Entry> entries = new ArrayList<>();

        void add(byte[] lastKey, BlockHandle block) {
            entries.add(new Entry(lastKey, block));
        }

        int count() {
            return entries.size();
        }

        void clear() {
            entries.clear();
        }

        void encode(ByteWriter out) {
            out.putInt(entries.size());
            out.putInt(0);
            long keyOffset = HEAD_BYTES + (long) ENTRY_BYTES * entries.size();
            for (Entry entry : entries) {
                byte[] key = entry.lastKey();
                out.putLong(Keys.prefix(key, 0, key.length));
                out.putLong(entry.block().offset());
                out.putInt(entry.block().length());
                out.putInt(key.length);
                out.putLong(keyOffset);
                keyOffset += key.length;
            }
            for (Entry entry : entries) {
                out.putBytes(entry.lastKey());
            }
        }
    }

    private IndexDescriptor() {}

    static int count(MemorySegment index) {
        return Objects.checkIndex(index.get(ByteReader.INT, 0), (int) (index.byteSize() / ENTRY_BYTES) + 1);
    }

    static long blockOffset(MemorySegment index, int entry) {
        return index.get(ByteReader.LONG, at(entry) + BLOCK_OFFSET_AT);
    }

    static int blockLength(MemorySegment index, int entry) {
        return index.get(ByteReader.INT, at(entry) + BLOCK_LENGTH_AT);
    }

    static BlockHandle handle(MemorySegment index, int entry) {
        return new BlockHandle(blockOffset(index, entry), blockLength(index, entry));
    }

    static long prefix(MemorySegment index, int entry) {
        return index.get(ByteReader.LONG, at(entry));
    }

    static byte[] lastKey(MemorySegment index, int entry) {
        long offset = index.get(ByteReader.LONG, at(entry) + KEY_OFFSET_AT);
        int length = index.get(ByteReader.INT, at(entry) + KEY_LENGTH_AT);
        return index.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /// Compares a block's last key with a key.
    static int compareLastKey(MemorySegment index, int entry, byte[] key) {
        long at = at(entry);
        return -Keys.compare(
                key,
                index,
                index.get(ByteReader.LONG, at + KEY_OFFSET_AT),
                index.get(ByteReader.INT, at + KEY_LENGTH_AT));
    }

    private static long at(int entry) {
        return HEAD_BYTES + (long) ENTRY_BYTES * entry;
    }
}
