package kvant.lsm.commit;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// The commit thread's events in a flight recording. Costs the check of a flag while no recording runs.
@Category({"Kvant", "LSM"})
@StackTrace(false)
abstract sealed class CommitEvent extends Event {

    @Label("Began at this Nano Time")
    long beganNanos;

    /// Begins the event and then reads the clock. A reader that relates the clock of the recorder to nano times
    /// relies on this order.
    ///
    /// @return nano time of the begin
    final long beginNow() {
        begin();
        beganNanos = System.nanoTime();
        return beganNanos;
    }

    /// A commit group went into the log.
    @Name("kvant.lsm.CommitGroup")
    @Label("Commit Group")
    @Description("A group of writes was appended to the log and synced as the durability policy asks")
    static final class Group extends CommitEvent {

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

        void end(int newWrites, long newBytes, long newWaitNanos, long newSyncNanos) {
            writes = newWrites;
            bytes = newBytes;
            waitNanos = newWaitNanos;
            syncNanos = newSyncNanos;
            commit();
        }
    }

    /// The event of a log change by the commit thread, while all writes waited: its duration and the two logs. A
    /// failed change has no event.
    @Name("kvant.lsm.LogChange")
    @Label("Log Change")
    @Description("The commit thread ended a log and began the next")
    static final class LogChange extends CommitEvent {

        @Label("Finished Log")
        long finished;

        @Label("Size of the Finished Log")
        @DataAmount
        long finishedBytes;

        @Label("Begun Log")
        long begun;

        @Label("Preallocated")
        boolean preallocated;

        static LogChange begun() {
            LogChange event = new LogChange();
            event.beginNow();
            return event;
        }

        void end(long newFinished, long newFinishedBytes, long newBegun, boolean newPreallocated) {
            end();
            finished = newFinished;
            finishedBytes = newFinishedBytes;
            begun = newBegun;
            preallocated = newPreallocated;
            commit();
        }
    }

    /// The commit thread waited for the disk: with a group, or because a change of logs or the time of an interval
    /// asked for it.
    @Name("kvant.lsm.LogSync")
    @Label("Log Sync")
    @Description("The commit thread waited until what is in the log was on the disk")
    static final class LogSync extends CommitEvent {}

    /// The event of a commit group that was delayed.
    @Name("kvant.lsm.WriteStall")
    @Label("Write Stall")
    @Description("A commit group was held back because flush or compaction lags behind")
    static final class Stall extends CommitEvent {

        @Label("Cause")
        String cause = "";

        @Label("Time Held Back")
        @Timespan(Timespan.NANOSECONDS)
        long nanos;

        @Label("Turned Away")
        boolean refused;

        void end(String newCause, long newNanos, boolean newRefused) {
            cause = newCause;
            nanos = newNanos;
            refused = newRefused;
            commit();
        }
    }
}
