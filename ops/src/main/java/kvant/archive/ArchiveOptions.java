package kvant.archive;

import java.time.Duration;
import java.util.function.Consumer;
import kvant.text.Drafts;

/// How a store is archived.
///
/// @param interval pause between two puts
/// @param keep each state of so long ago can be restored
/// @param takeOver whether to take an archive that another store has
/// @param ack a write is acknowledged once the archive has it
/// @param ackLimit a write that waits for longer has an unknown outcome
/// @param objectBytes an object ends with the group in which it reaches this size
/// @param mergedBytes objects are merged up to this size
/// @param mergeCount the least number of small objects in a row that are merged
/// @param baseAge a new base is made when the newest is older, and there were changes
/// @param leastLogBytes a new base is made when the objects behind the newest have more bytes than it, and than this
/// @param retryLongest the longest pause after failures
/// @param housekeeping pause between two looks at the whole archive
/// @param closeLimit how long a stopping node waits until all is archived
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

    public static final ArchiveOptions DEFAULT = Drafts.made(ArchiveOptions.class, new Draft());

    public ArchiveOptions with(Consumer<Draft> change) {
        return Drafts.changed(ArchiveOptions.class, this, new Draft(), change);
    }

    /// Options in the making; begins with the defaults.
    public static final class Draft {
        public Duration interval = Duration.ofSeconds(1);
        public Duration keep = Duration.ofDays(7);
        public boolean takeOver;
        public boolean ack;
        public Duration ackLimit = Duration.ofSeconds(10);
        public long objectBytes = 8L << 20;
        public long mergedBytes = 64L << 20;
        public int mergeCount = 32;
        public Duration baseAge = Duration.ofDays(1);
        public long leastLogBytes = 64L << 20;
        public Duration retryLongest = Duration.ofSeconds(10);
        public Duration housekeeping = Duration.ofSeconds(30);
        public Duration closeLimit = Duration.ofSeconds(10);
    }
}
