package kvant.lsm.commit;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// The commit thread ended a log and began the next, while all writes waited: how long that took. What the logs were,
/// [LogRotatedEvent] tells. Costs a flag's look when nobody records.
@Name("kvant.lsm.LogChange")
@Label("Log Change")
@Category({"Kvant", "LSM"})
@Description("The commit thread ended a log and began the next")
@StackTrace(false)
final class LogChangeEvent extends Event {

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

    /// @param changed whether there was anything to do
    void end(boolean changed) {
        if (changed) {
            commit();
        }
    }
}
