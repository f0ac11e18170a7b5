package kvant.lsm.value;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import kvant.lsm.record.RecordView;
import kvant.lsm.record.Tag;
import kvant.lsm.record.ValuePointer;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;
import org.jspecify.annotations.Nullable;

/// Decides where the values of a run go that is being written, and writes the value files of those that leave
/// it.
///
///     inline, large                       -> value file, pointer
///     inline, small                       -> as it is
///     pointer                             -> as it is: the value stays where it is
///     pointer into a file to be emptied   -> read, then as if it had been inline
///
/// Belongs to one thread.
public final class ValueSeparation implements AutoCloseable {

    // Constant.
    private final Storage storage;
    private final RandomGenerator random;
    private final LongSupplier numbers;
    private final ValuePlan plan;
    private final List<String> begun;

    // One thread.
    private final List<ValueFileInfo> finished = new ArrayList<>();
    private ValueReferences references = new ValueReferences();
    private @Nullable ValueFileWriter writer;
    private long finishedBytes;

    /// @param random gives the ids of files
    /// @param numbers gives the numbers of files
    /// @param begun gets the name of each file before it is created
    public ValueSeparation(
            Storage storage, RandomGenerator random, LongSupplier numbers, ValuePlan plan, List<String> begun) {
        this.storage = storage;
        this.random = random;
        this.numbers = numbers;
        this.plan = plan;
        this.begun = begun;
    }

    /// What is to be stored of a record; valid as long as that is.
    public RecordView place(RecordView record) throws IOException {
        if (Tag.isSeparated(record.tag())) {
            byte[] stored = record.storedValue();
            ValuePointer pointer = ValuePointer.of(record.tag(), stored);
            if (plan.relocated().contains(pointer.file())) {
                return relocated(record, stored, pointer);
            }
            references.add(pointer, record.keyLength());
        } else if (Tag.isInline(record.tag())) {
            int expiryBytes = Tag.hasExpiry(record.tag()) ? Tag.EXPIRY_BYTES : 0;
            if (plan.options().separates(record.valueLength() - expiryBytes)) {
                byte[] stored = record.storedValue();
                return separated(record, stored, stored, expiryBytes);
            }
        }
        return record;
    }

    private RecordView relocated(RecordView record, byte[] stored, ValuePointer pointer) throws IOException {
        byte[] value = Objects.requireNonNull(plan.source().read(pointer), "it may wait for the disk");
        return plan.options().separates(value.length)
                ? separated(record, stored, value, 0)
                : PlacedRecord.inlined(record, stored, value);
    }

    /// @param value an array that holds the value, from `from` to its end
    private RecordView separated(RecordView record, byte[] stored, byte[] value, int from) throws IOException {
        ValuePointer pointer = open().add(record, value, from, value.length - from);
        references.add(pointer, record.keyLength());
        return PlacedRecord.separated(record, stored, pointer);
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

    /// What the records refer to that were placed since the last [#takeReferences].
    public ValueReferences references() {
        return references;
    }

    /// Ends the count of a table.
    public List<ValueReference> takeReferences() {
        List<ValueReference> taken = references.list();
        references = new ValueReferences();
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

    /// Leaves what has been written.
    @Override
    public void close() throws IOException {
        ValueFileWriter open = writer;
        writer = null;
        if (open != null) {
            open.close();
        }
    }
}
