package kvant.lsm.store;

import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;
import kvant.engine.kit.ExpiryClock;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.read.ScanOptions;
import kvant.lsm.table.TableOptions;
import kvant.lsm.value.ValueOptions;
import kvant.lsm.version.Shape;

/// What the shared state needs to know of the engine's options.
///
/// @param memtables makes an empty one
/// @param debtBytes about how much has to be merged before tables have the shape that the picker wants
/// @param table sizes of blocks and tables
/// @param values which are kept out of tables
/// @param scans their bounds
/// @param headroomBytes of the disk that merges and scans leave free
/// @param random gives the ids of files
/// @param clock for expiry
public record StoreOptions(
        Supplier<Memtable> memtables,
        ToLongFunction<Shape> debtBytes,
        TableOptions table,
        ValueOptions values,
        ScanOptions scans,
        long headroomBytes,
        RandomGenerator random,
        ExpiryClock clock) {}
