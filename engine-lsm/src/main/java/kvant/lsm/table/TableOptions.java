package kvant.lsm.table;

/// Bounds of the tables that are written.
///
/// @param blockBytes a data block is finished at this size
/// @param tableBytes a table is finished at this size
public record TableOptions(int blockBytes, long tableBytes) {

    public static final TableOptions DEFAULT = new TableOptions(4 << 10, 64 << 20);

    public TableOptions {
        if (blockBytes < 1 || tableBytes < 1) {
            throw new IllegalArgumentException("sizes of blocks and tables are at least 1");
        }
    }
}
