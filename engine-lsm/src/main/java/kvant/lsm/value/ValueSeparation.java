package kvant.lsm.value;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import kvant.lsm.record.RecordView;
import kvant.lsm.record.Tag;
import kvant.lsm.record.ValuePointer;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;
import org.jspecify.annotations.Nullable;

/// Decides the placement of the values of a run that is being written, and writes the value files for those kept out
/// of it.
///
///     inline, large                       -> value file, pointer
///     inline, small                       -> as it is
///     pointer                             -> as it is: the value stays where it is
///     pointer into a file to be emptied   -> as if it had been inline
///
/// No value is copied as a whole: it may be as long as half of the heap. Belongs to one thread.
public final class ValueSeparation implements AutoCloseable {

    // Constant.
    private final Storage storage;
    private final RandomGenerator random;
    private final LongSupplier numbers;
    private final Plan plan;
    private final List<String> begun;

    // One thread.
    private final List<ValueFileInfo> finished = new ArrayList<>();
    private ValueReference.Counter references = new ValueReference.Counter();
    private @Nullable ValueFileWriter writer;
    private long finishedBytes;

    /// @param random gives the ids of files
    /// @param numbers gives the numbers of files
    /// @param begun gets the name of each file before it is created
    public ValueSeparation(
            Storage storage, RandomGenerator random, LongSupplier numbers, Plan plan, List<String> begun) {
        this.storage = storage;
        this.random = random;
        this.numbers = numbers;
        this.plan = plan;
        this.begun = begun;
    }

    /// Returns the record to store in the table; valid as long as the given record.
    public RecordView place(RecordView record) throws IOException {
        if (Tag.isSeparated(record.tag())) {
            ValuePointer pointer = ValuePointer.of(record.tag(), record.storedValue());
            if (plan.relocated().contains(pointer.file())) {
                return relocated(record, pointer);
            }
            references.add(pointer, record.keyLength());
        } else if (Tag.isInline(record.tag())) {
            int expiryBytes = Tag.hasExpiry(record.tag()) ? Tag.EXPIRY_BYTES : 0;
            if (plan.options().separates(record.valueLength() - expiryBytes)) {
                return separated(record, record, expiryBytes);
            }
        }
        return record;
    }

    private RecordView relocated(RecordView record, ValuePointer pointer) throws IOException {
        plan.source().check(pointer);
        RecordView inlined = new InlinedRecord(record, pointer, plan.source());
        return plan.options().separates(pointer.length())
                ? separated(record, inlined, inlined.valueLength() - pointer.length())
                : inlined;
    }

    /// @param inlined the same record with its value, which begins behind this many bytes
    private RecordView separated(RecordView record, RecordView inlined, int expiryBytes) throws IOException {
        ValuePointer pointer = open().add(record, inlined, expiryBytes, inlined.valueLength() - expiryBytes);
        references.add(pointer, record.keyLength());
        return SeparatedRecord.of(record, pointer);
    }

    private ValueFileWriter open() throws IOException {
        if (writer != null && writer.bytes() >= plan.options().fileBytes()) {
            finishFile();
        }
        ValueFileWriter current = writer;
        if (current == null) {
            long number = numbers.getAsLong();
            begun.add(FileNames.values(number));
            current = new ValueFileWriter(storage, number, random.nextLong());
            writer = current;
        }
        return current;
    }

    private void finishFile() throws IOException {
        try (ValueFileWriter last = writer) {
            writer = null;
            if (last != null) {
                ValueFileInfo info = last.finish();
                finished.add(info);
                finishedBytes += info.bytes();
            }
        }
    }

    /// The references of the records placed since the last [#takeReferences].
    public ValueReference.Counter references() {
        return references;
    }

    /// Ends the count of a table.
    public List<ValueReference> takeReferences() {
        List<ValueReference> taken = references.list();
        references = new ValueReference.Counter();
        return taken;
    }

    /// Bytes of value files so far.
    public long bytes() {
        return finishedBytes + (writer == null ? 0 : writer.bytes());
    }

    /// Finishes the last value file. All are synced then; their names are durable once the caller has synced
    /// the directory.
    public List<ValueFileInfo> finish() throws IOException {
        finishFile();
        return finished;
    }

    /// Closes the files, and leaves the written ones in place.
    @Override
    public void close() throws IOException {
        ValueFileWriter open = writer;
        writer = null;
        if (open != null) {
            open.close();
        }
    }

    /// A record of the same key as another one.
    private interface SameKey extends RecordView {

        RecordView record();

        @Override
        default byte[] keyArray() {
            return record().keyArray();
        }

        @Override
        default int keyOffset() {
            return record().keyOffset();
        }

        @Override
        default int keyLength() {
            return record().keyLength();
        }
    }

    /// A record with its value in the place of a pointer. The value stays in its file until it is copied.
    ///
    /// @param record as it is; shows the key, and the expiry where there is one
    /// @param source has the value
    private record InlinedRecord(RecordView record, ValuePointer pointer, ValueFiles source) implements SameKey {

        @Override
        public long tag() {
            return Tag.inline(record.tag());
        }

        @Override
        public int valueLength() {
            return expiryBytes() + pointer.length();
        }

        @Override
        public void copyValue(int from, byte[] target, int offset, int length) {
            int ofExpiry = Math.clamp(expiryBytes() - from, 0, length);
            if (ofExpiry > 0) {
                record.copyValue(from, target, offset, ofExpiry);
            }
            if (length > ofExpiry) {
                source.copy(pointer, from + ofExpiry - expiryBytes(), target, offset + ofExpiry, length - ofExpiry);
            }
        }

        private int expiryBytes() {
            return record.valueLength() - ValuePointer.BYTES;
        }
    }

    /// A record with a pointer in the place of its value.
    ///
    /// @param record as it was; shows the key
    /// @param stored the pointer, behind an expiry where there is one
    private record SeparatedRecord(RecordView record, long tag, byte[] stored) implements SameKey {

        static SeparatedRecord of(RecordView record, ValuePointer pointer) {
            long tag = Tag.separated(record.tag());
            byte[] stored = new byte[ValuePointer.storedBytes(tag)];
            int expiryBytes = stored.length - ValuePointer.BYTES;
            record.copyValue(0, stored, 0, expiryBytes);
            pointer.encode(stored, expiryBytes);
            return new SeparatedRecord(record, tag, stored);
        }

        @Override
        public int valueLength() {
            return stored.length;
        }

        @Override
        public void copyValue(int from, byte[] target, int offset, int length) {
            System.arraycopy(stored, from, target, offset, length);
        }
    }

    /// The placement of the values of records that are written to tables.
    ///
    /// @param options which are kept out of tables
    /// @param source files of the values to be moved
    /// @param relocated numbers of value files that values are moved out of
    public record Plan(ValueOptions options, ValueFiles source, Set<Long> relocated) {

        /// All values stay where they are.
        public static final Plan NONE =
                new Plan(ValueOptions.DEFAULT.from(ValueOptions.NEVER), new ValueFiles(), Set.of());

        public Plan {
            relocated = Set.copyOf(relocated);
        }
    }
}
