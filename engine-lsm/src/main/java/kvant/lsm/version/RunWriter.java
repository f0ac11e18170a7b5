package kvant.lsm.version;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.CompactionIterator;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.record.TombstoneFilter;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;
import kvant.lsm.table.Compression;
import kvant.lsm.table.TableInfo;
import kvant.lsm.table.TableOptions;
import kvant.lsm.table.TableWriter;
import kvant.lsm.value.ValueFileInfo;
import kvant.lsm.value.ValueReference;
import kvant.lsm.value.ValueSeparation;

/// A writer of a sorted stream of records, one of each key, as the tables of one run, and the value files of the
/// values kept out of them. Belongs to one thread.
///
/// @param numbers gives the numbers of new files
/// @param options sizes of blocks and tables, and the compression, which the level of the run decides
/// @param pace limits the rate of writing
/// @param values placement of the values
public record RunWriter(
        Storage storage,
        RandomGenerator random,
        LongSupplier numbers,
        TableOptions options,
        Pace pace,
        ValueSeparation.Plan values) {

    /// A writer that leaves all values where they are.
    public RunWriter(Storage storage, RandomGenerator random, LongSupplier numbers, TableOptions options, Pace pace) {
        this(storage, random, numbers, options, pace, ValueSeparation.Plan.NONE);
    }

    /// Limits the rate of writing.
    @FunctionalInterface
    public interface Pace {

        /// Returns when writing may continue.
        ///
        /// @param bytes written since the call before
        /// @throws InterruptedIOException when the work is to be aborted
        void wrote(long bytes) throws InterruptedIOException;
    }

    /// Records written between two calls of the pace.
    private static final int PACE_RECORDS = 1 << 9;

    /// Bytes written between two calls of the pace, unless [#PACE_RECORDS] are reached before.
    private static final int PACE_BYTES = 1 << 20;

    /// Bound on a table's references to value files, as a multiple of its size: a table of pointers alone would stand
    /// for more values than one merge should move.
    private static final int VALUES_PER_TABLE = 16;

    /// Most records of a table, regardless of its size.
    private static final int MAX_TABLE_RECORDS = 1 << 20;

    /// Writes the records of a memtable, or of a buffer of replayed records: of each key its newest version.
    /// Deletions are kept, because older tables may hold the records that they hide.
    ///
    /// @param run above all others
    public WrittenRun flush(RecordCursor memtable, long run) throws IOException {
        return write(new CompactionIterator(memtable, TombstoneFilter.UNKNOWN, 0), run);
    }

    /// Writes everything from the cursor's start. The files are durable, with their names, when this
    /// returns.
    ///
    /// @throws IOException its files are deleted, as far as possible
    public WrittenRun write(RecordCursor records, long run) throws IOException {
        return write(records, run, TableCuts.bySize(options.tableBytes()));
    }

    /// As above.
    ///
    /// @param cuts where tables end
    public WrittenRun write(RecordCursor records, long run, TableCuts cuts) throws IOException {
        List<TableInfo> tables = new ArrayList<>();
        List<String> begun = new ArrayList<>();
        boolean done = false;
        try (ValueSeparation separation = new ValueSeparation(storage, random, numbers, values, begun)) {
            boolean more = records.seek(Keys.START);
            if (more) {
                cuts.begin(records);
            }
            while (more) {
                long number = numbers.getAsLong();
                begun.add(FileNames.table(number));
                long id = random.nextLong();
                try (TableWriter writer = tableWriter(number, id, run)) {
                    more = fill(writer, records, separation, cuts);
                    tables.add(info(number, run, id, writer.finish(), separation.takeReferences()));
                }
            }
            List<ValueFileInfo> files = separation.finish();
            if (!tables.isEmpty()) {
                storage.syncDirectory();
            }
            done = true;
            return new WrittenRun(tables, files);
        } finally {
            if (!done) {
                begun.forEach(storage::discard);
            }
        }
    }

    private TableWriter tableWriter(long number, long id, long run) throws IOException {
        Compression compression = options.compressionOf(Levels.levelOf(run));
        return new TableWriter(storage, FileNames.table(number), id, options.blockBytes(), compression);
    }

    private static TableInfo info(
            long number, long run, long id, TableWriter.Finished table, List<ValueReference> references) {
        return new TableInfo(
                number,
                run,
                id,
                table.bytes(),
                table.checksum(),
                table.properties().lastSequence(),
                references);
    }

    /// @return whether there are more records than fit
    private boolean fill(TableWriter writer, RecordCursor records, ValueSeparation separation, TableCuts cuts)
            throws IOException {
        long valueBytesBefore = separation.bytes();
        boolean more;
        long told = 0;
        do {
            writer.add(separation.place(records));
            long written = writer.bytes() + separation.bytes() - valueBytesBefore;
            if (writer.records() % PACE_RECORDS == 0 || written - told >= PACE_BYTES) {
                pace.wrote(written - told);
                told = written;
            }
            more = records.next();
        } while (more
                && !cuts.endBefore(records, writer.bytes())
                && separation.references().bytes() < options.tableBytes() * VALUES_PER_TABLE
                && writer.records() < MAX_TABLE_RECORDS);
        pace.wrote(writer.bytes() + separation.bytes() - valueBytesBefore - told);
        return more;
    }
}
