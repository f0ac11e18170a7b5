package kvant.lsm.commit;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// The commit thread ended a log and began the next, while all writes waited: how long that took, and what the logs
/// are. One that could not be done has no event. Costs a flag's look when nobody records.
@Name("kvant.lsm.LogChange")
@Label("Log Change")
@Category({"Kvant", "LSM"})
@Description("The commit thread ended a log and began the next")
@StackTrace(false)
final class LogChangeEvent extends Event {

    @Label("Began at this Nano Time")
    long beganNanos;

    @Label("Finished Log")
    long finished;

    @Label("Size of the Finished Log")
    @DataAmount
    long finishedBytes;

    @Label("Begun Log")
    long begun;

    @Label("Preallocated")
    boolean preallocated;

    /// An event that begins now. In this order, on which a reader relies who brings the clock of the recorder and nano
    /// times together.
    static LogChangeEvent begun() {
        LogChangeEvent event = new LogChangeEvent();
        event.begin();
        event.beganNanos = System.nanoTime();
        return event;
    }

    void end(long newFinished, long newFinishedBytes, long newBegun, boolean newPreallocated) {
        end();
        if (shouldCommit()) {
            finished = newFinished;
            finishedBytes = newFinishedBytes;
            begun = newBegun;
            preallocated = newPreallocated;
            commit();
        }
    }
}
