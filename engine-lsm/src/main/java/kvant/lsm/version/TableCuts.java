package kvant.lsm.version;

import java.util.List;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.version.Shape.TableShape;

/// The cuts of a run into tables while it is written: at the size of a table, at requested keys, and at the ends of
/// the tables of the level beneath.
///
///     beneath   |----a----|----b----|----c----|----d----|
///     written   |--------------|----------|              cut by size: three tables of `beneath` lie under each
///     written   |---------|---------|                    cut at their ends: as many as have to
///
/// A table is later merged with all tables that it overlaps beneath, of which the two at its edges are avoidable. So
/// it ends where one of them does, once it is half as large as a table; and earlier where it would overlap more than
/// [#MAX_OVERLAP] tables, so that the merge of one table is bounded (as LevelDB and RocksDB do; the figures are in
/// docs/dev/decisions/0023).
///
/// Called with ascending keys. Belongs to one thread.
public final class TableCuts {

    /// Times the size of a table.
    static final int MAX_OVERLAP = 10;

    // Constant.
    private final long tableBytes;
    private final List<byte[]> keys;
    private final List<TableShape> beneath;

    // One thread.
    private int nextKey;
    private int nextBeneath;
    private long overlappedBytes;

    /// @param keys at which a table begins, ascending
    /// @param beneath tables of the next level, by key
    public TableCuts(long tableBytes, List<byte[]> keys, List<TableShape> beneath) {
        this.tableBytes = tableBytes;
        this.keys = keys;
        this.beneath = beneath;
    }

    /// By size alone.
    public static TableCuts bySize(long tableBytes) {
        return new TableCuts(tableBytes, List.of(), List.of());
    }

    /// The first record of the run has this key.
    public void begin(byte[] key, int offset, int length) {
        passesKey(key, offset, length);
        passesBeneath(key, offset, length);
        overlappedBytes = 0;
    }

    /// Whether a table ends before the record of this key.
    ///
    /// @param bytes of the table so far
    public boolean endBefore(byte[] key, int offset, int length, long bytes) {
        boolean wanted = passesKey(key, offset, length);
        boolean passes = passesBeneath(key, offset, length);
        boolean end = wanted
                || bytes >= tableBytes
                || passes && (bytes >= tableBytes / 2 || overlappedBytes >= MAX_OVERLAP * tableBytes);
        if (end) {
            overlappedBytes = 0;
        }
        return end;
    }

    /// As above, for the record that a cursor stands on.
    void begin(RecordCursor record) {
        begin(record.keyArray(), record.keyOffset(), record.keyLength());
    }

    /// As above, for the record that a cursor stands on.
    boolean endBefore(RecordCursor record, long bytes) {
        return endBefore(record.keyArray(), record.keyOffset(), record.keyLength(), bytes);
    }

    private boolean passesKey(byte[] key, int offset, int length) {
        int before = nextKey;
        while (nextKey < keys.size() && Keys.compare(key, offset, length, keys.get(nextKey)) >= 0) {
            nextKey++;
        }
        return nextKey > before;
    }

    private boolean passesBeneath(byte[] key, int offset, int length) {
        int before = nextBeneath;
        while (nextBeneath < beneath.size()
                && Keys.compare(key, offset, length, beneath.get(nextBeneath).largestKey()) > 0) {
            overlappedBytes += beneath.get(nextBeneath).bytes();
            nextBeneath++;
        }
        return nextBeneath > before;
    }
}
