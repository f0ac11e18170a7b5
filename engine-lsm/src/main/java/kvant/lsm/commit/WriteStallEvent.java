package kvant.lsm.commit;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// A commit group was held back. Costs a flag's look when nobody records.
@Name("kvant.lsm.WriteStall")
@Label("Write Stall")
@Category({"Kvant", "LSM"})
@Description("A commit group was held back because flush or compaction lags behind")
@StackTrace(false)
final class WriteStallEvent extends Event {

    @Label("Began at this Nano Time")
    long beganNanos;

    @Label("Cause")
    String cause = "";

    @Label("Time Held Back")
    @Timespan(Timespan.NANOSECONDS)
    long nanos;

    @Label("Turned Away")
    boolean refused;

    /// In this order, on which a reader relies who brings the clock of the recorder and nano times together.
    ///
    /// @return when
    long beginNow() {
        begin();
        beganNanos = System.nanoTime();
        return beganNanos;
    }

    void end(String newCause, long newNanos, boolean newRefused) {
        if (shouldCommit()) {
            cause = newCause;
            nanos = newNanos;
            refused = newRefused;
            commit();
        }
    }
}
