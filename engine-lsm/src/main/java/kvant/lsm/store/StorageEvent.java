package kvant.lsm.store;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// What a flight recording shows of the work in the background; costs nothing while nobody records. How long it took
/// is the duration of the event.
@Category({"Kvant", "LSM"})
@StackTrace(false)
abstract sealed class StorageEvent extends Event {

    @Label("Level")
    int level;

    @Label("Input")
    @DataAmount
    long inputBytes;

    @Label("Input Tables")
    int inputTables;

    @Label("Output")
    @DataAmount
    long outputBytes;

    @Label("Output Tables")
    int outputTables;

    /// A sealed memtable became tables.
    @Name("kvant.lsm.Flush")
    @Label("Flush")
    static final class Flush extends StorageEvent {}

    /// Tables became other tables.
    @Name("kvant.lsm.Compaction")
    @Label("Compaction")
    static final class Compaction extends StorageEvent {}
}
