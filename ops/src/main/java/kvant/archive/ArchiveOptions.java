package kvant.archive;

import java.time.Duration;

/// How a store is archived.
///
/// @param interval what was written is in the target after about so long
/// @param keep any state of so long ago can be restored
/// @param takeOver take an archive that another store has
/// @param ack a write is acknowledged once the archive has it
/// @param ackLimit a write that waits for longer has an unknown outcome
/// @param objectBytes an object ends with the group in which it reaches this size
/// @param mergedBytes objects are merged up to this size
/// @param mergeCount so many small objects in a row are merged
/// @param baseAge a new base is made when the newest is older, and there were changes
/// @param leastLogBytes and when the objects behind it have more bytes than it, and than this
/// @param retryLongest the longest pause after failures
/// @param housekeeping pause between two looks at the whole archive
/// @param closeLimit how long the end of the node waits for what is not archived yet
public record ArchiveOptions(
        Duration interval,
        Duration keep,
        boolean takeOver,
        boolean ack,
        Duration ackLimit,
        long objectBytes,
        long mergedBytes,
        int mergeCount,
        Duration baseAge,
        long leastLogBytes,
        Duration retryLongest,
        Duration housekeeping,
        Duration closeLimit) {

    public static final ArchiveOptions DEFAULT = new ArchiveOptions(
            Duration.ofSeconds(1),
            Duration.ofDays(7),
            false,
            false,
            Duration.ofSeconds(10),
            8L << 20,
            64L << 20,
            32,
            Duration.ofDays(1),
            64L << 20,
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(10));

    public ArchiveOptions with(Duration newInterval, Duration newKeep, boolean newTakeOver, boolean newAck) {
        return new ArchiveOptions(
                newInterval,
                newKeep,
                newTakeOver,
                newAck,
                ackLimit,
                objectBytes,
                mergedBytes,
                mergeCount,
                baseAge,
                leastLogBytes,
                retryLongest,
                housekeeping,
                closeLimit);
    }
}
