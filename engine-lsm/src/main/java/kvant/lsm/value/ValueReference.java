package kvant.lsm.value;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import kvant.lsm.record.ValuePointer;

/// The references of one table to one value file.
///
/// @param file number of the value file
/// @param records number of its values
/// @param bytes size of their records in the value file
public record ValueReference(long file, long records, long bytes) {

    /// Counts a table's references to value files. Belongs to one thread.
    public static final class Counter {

        private final TreeMap<Long, ValueReference> byFile = new TreeMap<>();
        private long bytes;

        /// @param keyLength of the record whose value is there
        public void add(ValuePointer pointer, int keyLength) {
            long recordBytes = ValueFileDescriptor.recordBytes(keyLength, pointer.length());
            bytes += recordBytes;
            byFile.merge(
                    pointer.file(),
                    new ValueReference(pointer.file(), 1, recordBytes),
                    (a, b) -> new ValueReference(a.file(), a.records() + b.records(), a.bytes() + b.bytes()));
        }

        /// The bytes of all references.
        public long bytes() {
            return bytes;
        }

        /// The references, by number of the file.
        public List<ValueReference> list() {
            return new ArrayList<>(byFile.values());
        }
    }
}
