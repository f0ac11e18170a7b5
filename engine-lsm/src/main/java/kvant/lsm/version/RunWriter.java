package kvant.lsm.version;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;
import kvant.lsm.table.TableOptions;
import kvant.lsm.table.TableWriter;

/// Writes a sorted stream of records, one of each key, as the tables of one run. Belongs to one thread.
///
/// @param numbers gives the numbers of new files
/// @param options sizes of blocks and tables
/// @param cancelled asked now and then; once true, the work is given up
/// @param written gets the size of each table that is finished
public record RunWriter(
        Storage storage,
        RandomGenerator random,
        LongSupplier numbers,
        TableOptions options,
        BooleanSupplier cancelled,
        LongConsumer written) {

    /// How many records are written between two looks at `cancelled`.
    private static final int CANCEL_CHECK_RECORDS = 1 << 10;

    /// Bounds the memory that the filter of a table takes while it is being written: eight bytes each.
    private static final int MAX_TABLE_RECORDS = 1 << 20;

    private static final byte[] START = new byte[0];

    /// Tells nobody how far it is.
    public RunWriter(
            Storage storage,
            RandomGenerator random,
            LongSupplier numbers,
            TableOptions options,
            BooleanSupplier cancelled) {
        this(storage, random, numbers, options, cancelled, _ -> {});
    }

    /// The same, and tells of each table when it has been written.
    ///
    /// @param written gets the size of each
    public RunWriter telling(LongConsumer written) {
        return new RunWriter(storage, random, numbers, options, cancelled, written);
    }

    /// Writes everything from the cursor's start. The tables are durable, with their names, when this
    /// returns.
    ///
    /// @throws IOException no table is left behind, as far as deleting works
    public List<TableInfo> write(RecordCursor records, long run) throws IOException {
        List<TableInfo> tables = new ArrayList<>();
        List<String> begun = new ArrayList<>();
        boolean done = false;
        try {
            boolean more = records.seek(START);
            while (more) {
                long number = numbers.getAsLong();
                begun.add(FileNames.table(number));
                long id = random.nextLong();
                try (TableWriter writer = new TableWriter(storage, FileNames.table(number), id, options.blockBytes())) {
                    more = fill(writer, records);
                    TableWriter.Finished table = writer.finish();
                    tables.add(new TableInfo(
                            number,
                            run,
                            id,
                            table.bytes(),
                            table.checksum(),
                            table.properties().lastSequence()));
                    written.accept(table.bytes());
                }
            }
            if (!tables.isEmpty()) {
                storage.syncDirectory();
            }
            done = true;
            return tables;
        } finally {
            if (!done) {
                discard(begun);
            }
        }
    }

    /// @return whether there are more records than fit
    private boolean fill(TableWriter writer, RecordCursor records) throws IOException {
        boolean more;
        do {
            writer.add(records);
            if (writer.records() % CANCEL_CHECK_RECORDS == 0 && cancelled.getAsBoolean()) {
                throw new InterruptedIOException("the engine is being closed");
            }
            more = records.next();
        } while (more && writer.bytes() < options.tableBytes() && writer.records() < MAX_TABLE_RECORDS);
        return more;
    }

    /// Deletes what was not finished. A file that stays is deleted by the next start.
    private void discard(List<String> files) {
        for (String file : files) {
            try {
                storage.delete(file);
            } catch (IOException _) {
                // The failure that led here is the one to report.
            }
        }
    }
}
