package kvant.lsm.recover;

import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.table.TableOptions;
import kvant.lsm.value.ValueOptions;

/// What opening a store needs to know of the engine's options.
///
/// @param memtables makes an empty one
/// @param memtableBytes so much of what is replayed becomes a run
/// @param threads so many runs are written at the same time
/// @param table sizes of blocks and tables
/// @param values which are kept out of tables
/// @param manifestBytes a manifest is begun anew when it has grown by this much and has doubled
/// @param retainedLogBytes so much is kept of logs that are not needed any more, or [#AS_FOUND]
/// @param random gives the ids of files, to several threads at once
public record RecoveryOptions(
        Supplier<Memtable> memtables,
        long memtableBytes,
        int threads,
        TableOptions table,
        ValueOptions values,
        long manifestBytes,
        long retainedLogBytes,
        RandomGenerator random) {

    /// To keep as much of logs as there is, where some are kept, and else none.
    public static final long AS_FOUND = -1;

    /// The same, but logs that are not needed any more are not kept.
    RecoveryOptions keepingNoLogs() {
        return new RecoveryOptions(memtables, memtableBytes, threads, table, values, manifestBytes, 0, random);
    }
}
