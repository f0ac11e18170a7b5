package kvant.lsm.commit;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// A log was finished and its successor begun. Costs a flag's look when nobody records.
@Name("kvant.lsm.LogRotated")
@Label("Log Rotated")
@Category({"Kvant", "LSM"})
@Description("A log was finished and its successor begun")
@StackTrace(false)
final class LogRotatedEvent extends Event {

    @Label("Finished Log")
    long finished;

    @Label("Size of the Finished Log")
    @DataAmount
    long finishedBytes;

    @Label("Begun Log")
    long begun;

    @Label("Preallocated")
    boolean preallocated;

    void end(long newFinished, long newFinishedBytes, long newBegun, boolean newPreallocated) {
        if (shouldCommit()) {
            finished = newFinished;
            finishedBytes = newFinishedBytes;
            begun = newBegun;
            preallocated = newPreallocated;
            commit();
        }
    }
}
