package kvant.lsm.version;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import kvant.lsm.record.OlderRecords;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.record.SurvivorCursor;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;
import kvant.lsm.table.Compression;
import kvant.lsm.table.TableOptions;
import kvant.lsm.table.TableWriter;

/// Writes a sorted stream of records, one of each key, as the tables of one run. Belongs to one thread.
///
/// @param numbers gives the numbers of new files
/// @param options sizes of blocks and tables, and the compression, which the level of the run decides
/// @param pace limits the rate of writing
public record RunWriter(
        Storage storage, RandomGenerator random, LongSupplier numbers, TableOptions options, Pace pace) {

    /// Limits the rate of writing.
    @FunctionalInterface
    public interface Pace {

        /// Returns when writing may go on.
        ///
        /// @param bytes written since the call before
        /// @throws InterruptedIOException when the work is to be aborted
        void wrote(long bytes) throws InterruptedIOException;
    }

    /// How many records are written between two calls of the pace.
    private static final int PACE_RECORDS = 1 << 9;

    /// Bounds the memory that the filter of a table takes while it is being written: eight bytes each.
    private static final int MAX_TABLE_RECORDS = 1 << 20;

    private static final byte[] START = new byte[0];

    /// Writes a memtable: of each key its newest version. Deletions are kept, because older tables may hold what they
    /// hide.
    ///
    /// @param run above all others
    public List<TableInfo> flush(RecordCursor memtable, long run) throws IOException {
        return write(new SurvivorCursor(memtable, OlderRecords.UNKNOWN, 0), run);
    }

    /// Writes everything from the cursor's start. The tables are durable, with their names, when this
    /// returns.
    ///
    /// @throws IOException its tables are deleted, as far as possible
    public List<TableInfo> write(RecordCursor records, long run) throws IOException {
        return write(records, run, TableCuts.bySize(options.tableBytes()));
    }

    /// As above.
    ///
    /// @param cuts where tables end
    public List<TableInfo> write(RecordCursor records, long run, TableCuts cuts) throws IOException {
        Compression compression = options.compressionOf(Levels.levelOf(run));
        List<TableInfo> tables = new ArrayList<>();
        List<String> begun = new ArrayList<>();
        boolean done = false;
        try {
            boolean more = records.seek(START);
            if (more) {
                cuts.begin(records);
            }
            while (more) {
                long number = numbers.getAsLong();
                begun.add(FileNames.table(number));
                long id = random.nextLong();
                try (TableWriter writer =
                        new TableWriter(storage, FileNames.table(number), id, options.blockBytes(), compression)) {
                    more = fill(writer, records, cuts);
                    TableWriter.Finished table = writer.finish();
                    tables.add(new TableInfo(
                            number,
                            run,
                            id,
                            table.bytes(),
                            table.checksum(),
                            table.properties().lastSequence()));
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
    private boolean fill(TableWriter writer, RecordCursor records, TableCuts cuts) throws IOException {
        boolean more;
        long told = 0;
        do {
            writer.add(records);
            if (writer.records() % PACE_RECORDS == 0) {
                pace.wrote(writer.bytes() - told);
                told = writer.bytes();
            }
            more = records.next();
        } while (more && !cuts.endBefore(records, writer.bytes()) && writer.records() < MAX_TABLE_RECORDS);
        pace.wrote(writer.bytes() - told);
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
