package kvant.lsm.commit;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// A commit group went into the log. Costs a flag's look when nobody records.
@Name("kvant.lsm.CommitGroup")
@Label("Commit Group")
@Category({"Kvant", "LSM"})
@Description("A group of writes was appended to the log and synced as the durability policy asks")
@StackTrace(false)
final class CommitGroupEvent extends Event {

    @Label("Began at this Nano Time")
    long beganNanos;

    @Label("Writes")
    int writes;

    @Label("Bytes in the Log")
    @DataAmount
    long bytes;

    @Label("Wait of the Oldest Write")
    @Timespan(Timespan.NANOSECONDS)
    long waitNanos;

    @Label("Time of the Sync")
    @Timespan(Timespan.NANOSECONDS)
    long syncNanos;

    /// In this order, on which a reader relies who brings the clock of the recorder and nano times together.
    ///
    /// @return when
    long beginNow() {
        begin();
        beganNanos = System.nanoTime();
        return beganNanos;
    }

    void end(int newWrites, long newBytes, long newWaitNanos, long newSyncNanos) {
        if (shouldCommit()) {
            writes = newWrites;
            bytes = newBytes;
            waitNanos = newWaitNanos;
            syncNanos = newSyncNanos;
            commit();
        }
    }
}
