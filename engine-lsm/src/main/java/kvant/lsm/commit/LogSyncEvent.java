package kvant.lsm.commit;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// The commit thread waited for the disk: with a group, or because a change of logs or the time of an interval asked
/// for it. Costs a flag's look when nobody records.
@Name("kvant.lsm.LogSync")
@Label("Log Sync")
@Category({"Kvant", "LSM"})
@Description("The commit thread waited until what is in the log was on the disk")
@StackTrace(false)
final class LogSyncEvent extends Event {

    @Label("Began at this Nano Time")
    long beganNanos;

    /// In this order, on which a reader relies who brings the clock of the recorder and nano times together.
    ///
    /// @return when
    long beginNow() {
        begin();
        beganNanos = System.nanoTime();
        return beganNanos;
    }
}
