package kvant.lsm.table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.Tag;
import kvant.lsm.record.ValuePointer;
import kvant.lsm.value.PointerCheck;
import kvant.lsm.value.ValueReference;
import org.jspecify.annotations.Nullable;

/// Decodes every record of a table's data blocks, one block after the other, and checks them against the rules of the
/// format: order, restart points, kinds, bounds. Computes the expected properties. Belongs to one thread.
final class BlockCheck {

    private @Nullable MemorySegment filter;
    private final PointerCheck pointers;
    private final ValueReference.Counter references = new ValueReference.Counter();
    private final TableProperties.Counter counter = new TableProperties.Counter();

    private byte[] lastKey = new byte[0];
    private long hiddenKeys;
    private long lastHash;

    /// @param pointers checks the value pointers of the records
    BlockCheck(PointerCheck pointers) {
        this.pointers = pointers;
    }

    /// The filter of the blocks that follow.
    void filter(MemorySegment following) {
        filter = following;
    }

    /// @param content whose checksum is right
    /// @throws IndexOutOfBoundsException saying which rule is broken; the content is then not counted to its
    ///     end
    void check(MemorySegment content) {
        int length = (int) content.byteSize();
        int restarts = BlockDescriptor.restartCount(content, 0, length);
        int marks = BlockDescriptor.markCount(content, 0, length);
        int end = BlockDescriptor.recordsEnd(length, restarts, marks);
        require(restarts > 0 && end > 0, "the number of restart points is " + restarts);
        int at = 0;
        int number = 0;
        while (at < end) {
            long markAt = BlockDescriptor.marks(0, length, marks) + number;
            require(marks == 0 || number < marks, "there are more records than marks");
            boolean restart = number % BlockDescriptor.RESTART_INTERVAL == 0;
            if (restart) {
                int point = number / BlockDescriptor.RESTART_INTERVAL;
                require(point < restarts, "there are more records than restart points");
                require(BlockDescriptor.restart(content, 0, end, point) == at, "restart point " + point + " is wrong");
            }
            at = checkRecord(content, at, restart, end);
            require(
                    marks == 0 || content.get(ValueLayout.JAVA_BYTE, markAt) == BlockDescriptor.mark(lastHash),
                    "the mark of record " + number + " is not that of its key");
            number++;
        }
        int points = (number + BlockDescriptor.RESTART_INTERVAL - 1) / BlockDescriptor.RESTART_INTERVAL;
        int expected = number <= BlockDescriptor.MAX_MARKS ? number : 0;
        require(marks == expected, "there are " + marks + " marks for " + number + " records");
        require(points == restarts && at == end, "the records do not end where the restart points begin");
    }

    /// @return where the next record begins
    private int checkRecord(MemorySegment content, int at, boolean restart, int end) {
        long shared = BlockDescriptor.varint(content, 0, at);
        long unshared = BlockDescriptor.varint(content, 0, BlockDescriptor.place(shared));
        long value = BlockDescriptor.varint(content, 0, BlockDescriptor.place(unshared));
        int sharedLength = BlockDescriptor.value(shared);
        int unsharedLength = BlockDescriptor.value(unshared);
        int valueLength = BlockDescriptor.value(value);
        int tagAt = BlockDescriptor.place(value);
        long next = (long) tagAt + Long.BYTES + unsharedLength + valueLength;
        require(
                sharedLength >= 0 && unsharedLength >= 0 && valueLength >= 0 && next <= end,
                "the record at " + at + " of the block does not lie within it");
        require(restart ? sharedLength == 0 : sharedLength <= lastKey.length, "a key shares more than there is");
        byte[] key = Arrays.copyOf(lastKey, sharedLength + unsharedLength);
        MemorySegment.copy(
                content, ValueLayout.JAVA_BYTE, tagAt + (long) Long.BYTES, key, sharedLength, unsharedLength);
        long tag = BlockDescriptor.tag(content, tagAt);
        require(counter.records() == 0 || Arrays.compareUnsigned(lastKey, key) < 0, "its keys are not in order");
        requireKind(Tag.kind(tag), valueLength);
        count(key, tag, valueLength);
        if (Tag.hasExpiry(tag)) {
            long expiresAtMillis = content.get(ByteReader.LONG, (long) tagAt + Long.BYTES + unsharedLength);
            counter.expires(expiresAtMillis, key.length, valueLength);
        }
        if (Tag.isSeparated(tag)) {
            ValuePointer pointer = ValuePointer.decode(content, next - ValuePointer.BYTES);
            references.add(pointer, key.length);
            pointers.check(key, pointer);
        }
        return (int) next;
    }

    static void requireKind(int kind, int valueLength) {
        boolean valid = switch (kind) {
            case Tag.DELETE -> valueLength == 0;
            case Tag.PUT -> true;
            case Tag.PUT_EXPIRING -> valueLength >= Tag.EXPIRY_BYTES;
            case Tag.PUT_SEPARATED, Tag.PUT_SEPARATED_EXPIRING ->
                valueLength == Tag.EXPIRY_BYTES * (kind - Tag.PUT_SEPARATED) + ValuePointer.BYTES;
            default -> false;
        };
        if (!valid) {
            throw new IndexOutOfBoundsException("a record of kind " + kind + " with " + valueLength + " bytes");
        }
    }

    private void count(byte[] key, long tag, int valueLength) {
        if (counter.records() == 0) {
            counter.begin(key);
        }
        lastHash = Keys.hash(key);
        if (filter != null && !BloomFilter.mayContain(filter, lastHash)) {
            hiddenKeys++;
        }
        counter.add(tag, key.length, valueLength);
        lastKey = key;
    }

    byte[] lastKey() {
        return lastKey;
    }

    /// The references of the records to value files.
    List<ValueReference> references() {
        return references.list();
    }

    /// Returns, and resets, the number of keys that the filter wrongly hides.
    long takeHiddenKeys() {
        long hidden = hiddenKeys;
        hiddenKeys = 0;
        return hidden;
    }

    /// The properties that the table should have.
    TableProperties sums() {
        return counter.properties(lastKey);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IndexOutOfBoundsException(otherwise);
        }
    }
}
