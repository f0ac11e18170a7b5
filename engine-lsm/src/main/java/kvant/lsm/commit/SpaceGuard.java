package kvant.lsm.commit;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import kvant.engine.EngineException;
import kvant.engine.Mutation;
import kvant.engine.Write;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.StorageFullException;
import kvant.lsm.storage.StorageFullException.Limit;
import org.jspecify.annotations.Nullable;

/// Refuses writes while the disk has too little room, or the store has reached its bound, and admits them again by
/// itself when there is room.
///
/// Writes stop before the disk is full, because flush, compaction and manifest need room to bring accepted data into
/// tables. Dispensable files are deleted before that. Writes that only delete are admitted for longer, until a
/// quarter of that room is left: otherwise clients could make no room. Belongs to the commit thread; [#refusal] is
/// readable by any thread.
final class SpaceGuard {

    /// The dispensable files.
    ///
    /// Files that scans keep are deleted before logs that are kept for followers of changes. The client of a scan
    /// continues behind its last key and loses only its snapshot; a follower would have to start again, with a
    /// range of the whole store. Merges make room in this order too.
    ///
    /// @param scansThatKeep aborts scans if they keep at least this many bytes, and returns whether it did
    /// @param logs deletes logs, and returns whether there were any
    /// @param allScans aborts all scans that keep anything, and returns whether there were any
    record Spare(LongPredicate scansThatKeep, BooleanSupplier logs, BooleanSupplier allScans) {}

    private static final int DELETIONS_SHARE = 4;

    /// Divisor: the disk is checked again when this part of the headroom has been written.
    private static final int WRITTEN_SHARE = 16;

    static final long CHECK_NANOS = Duration.ofMillis(100).toNanos();

    // Constant.
    private final Storage storage;
    private final long headroomBytes;
    private final long maxDataBytes;
    private final LongSupplier dataBytes;
    private final Spare spare;

    // Commit thread.
    private long nextCheckNanos = System.nanoTime();
    private long writtenBytes; // since the last check of the disk
    private boolean deletionsFit = true;
    private boolean logsAreShort;
    private boolean logMetLimit;
    private long roomBytes; // of the bound for data

    // Read by anyone.
    private volatile EngineException.@Nullable StorageFull refusal;

    /// @param dataBytes how much the store has
    SpaceGuard(Storage storage, long headroomBytes, long maxDataBytes, LongSupplier dataBytes, Spare spare) {
        this.storage = storage;
        this.headroomBytes = headroomBytes;
        this.maxDataBytes = maxDataBytes;
        this.dataBytes = dataBytes;
        this.spare = spare;
    }

    /// Checks the disk ten times a second, and sooner where much is written: a fast disk uses up the headroom within
    /// that time.
    ///
    /// @return null when there is room
    EngineException.@Nullable StorageFull check() {
        long now = System.nanoTime();
        if (now - nextCheckNanos >= 0 || writtenBytes > headroomBytes / WRITTEN_SHARE) {
            nextCheckNanos = now + CHECK_NANOS;
            writtenBytes = 0;
            look();
        }
        return refusal;
    }

    /// Returns the writes of a group that are admitted; fails the others.
    List<Write> admit(List<Write> group) {
        EngineException.StorageFull full = check();
        if (full == null) {
            full = claim(group);
        }
        if (full == null) {
            return group;
        }
        List<Write> deletions = new ArrayList<>();
        for (int i = 0; i < group.size(); i++) {
            Write write = group.get(i);
            if (deletionsFit && onlyDeletes(write)) {
                deletions.add(write);
            } else {
                write.failed(full);
            }
        }
        return deletions;
    }

    /// Checks the size of the store again when the room found at the last check has been written.
    private EngineException.@Nullable StorageFull claim(List<Write> group) {
        long bytes = 0;
        for (int i = 0; i < group.size(); i++) {
            bytes += group.get(i).batch().bytes();
        }
        writtenBytes += bytes;
        roomBytes -= bytes;
        if (roomBytes < 0) {
            lookAtData();
        }
        return refusal;
    }

    private static boolean onlyDeletes(Write write) {
        List<Mutation> mutations = write.batch().mutations();
        for (int i = 0; i < mutations.size(); i++) {
            if (!(mutations.get(i) instanceof Mutation.Delete)) {
                return false;
            }
        }
        return true;
    }

    /// Handles a write that found no room. There is none for the moment, whatever the file system reports: with a
    /// quota it mostly still reports free space. Then too a flush helps, because it ends the log.
    ///
    /// A log that may not grow has no bearing on other writes: shorter ones may fit, and the next log takes them.
    /// So no other write is refused for it.
    EngineException.StorageFull full(StorageFullException met) {
        Storage place = met.isOfLog() ? storage.logs() : storage;
        boolean oneFile = met.limit() == Limit.FILE_SIZE;
        logMetLimit |= met.isOfLog() && (oneFile || place != storage);
        if (met.isOfLog() && oneFile) {
            return logMayNotGrow(place);
        }
        EngineException.StorageFull full = refused(place, met.limit(), "");
        refusal = full;
        deletionsFit = false;
        logsAreShort = false;
        boolean scansGiveWay = !oneFile && place == storage && spare.allScans().getAsBoolean();
        boolean logsMayGo = !oneFile && place == storage.logs() && !scansGiveWay;
        boolean freed = logsMayGo && spare.logs().getAsBoolean();
        nextCheckNanos = System.nanoTime() + (freed ? 0 : CHECK_NANOS);
        return full;
    }

    /// Forgets the last log's limit, because a new log was begun.
    void logBegan() {
        logMetLimit = false;
    }

    /// The delay until the next check while there is no room, in nanoseconds.
    long dueNanos() {
        return refusal == null ? Long.MAX_VALUE : nextCheckNanos - System.nanoTime();
    }

    /// Whether only logs are short of room, on their disk or because one of them may not grow: a flush frees some.
    boolean logsAreShort() {
        return logsAreShort || logMetLimit;
    }

    /// The last finding.
    EngineException.@Nullable StorageFull refusal() {
        return refusal;
    }

    private void look() {
        lookAtDisks();
        if (refusal == null) {
            lookAtData();
        }
    }

    private void lookAtData() {
        long data = dataBytes.getAsLong();
        roomBytes = maxDataBytes - data;
        if (roomBytes <= 0) {
            refusal = new EngineException.StorageFull("the store has " + data + " bytes, and may have " + maxDataBytes
                    + " (--max-data): delete something, or allow more: writes resume when merges have made room");
            deletionsFit = data - maxDataBytes < headroomBytes;
        }
    }

    private void lookAtDisks() {
        Storage logs = storage.logs();
        try {
            Storage place = storage;
            long usable = usableBytes(storage);
            if (usable >= headroomBytes && logs != storage) {
                place = logs;
                usable = usableBytes(logs);
            }
            logsAreShort = place != storage && usable < headroomBytes;
            refusal =
                    usable >= headroomBytes ? null : refused(place, Limit.DISK, ", only " + usable + " bytes are left");
            deletionsFit = usable >= headroomBytes / DELETIONS_SHARE;
        } catch (IOException _) {
            // Not knowing is no reason to refuse: a write that fails will tell.
            logsAreShort = false;
            refusal = null;
        }
    }

    /// The free space after dispensable files have been released as far as necessary. Logs are deleted at once. Files
    /// of scans are gone at the next check, and until then writes are refused.
    private long usableBytes(Storage place) throws IOException {
        long usable = place.usableBytes();
        long missingBytes = headroomBytes - usable;
        boolean enough =
                missingBytes <= 0 || place == storage && spare.scansThatKeep().test(missingBytes);
        if (!enough && place == storage.logs() && spare.logs().getAsBoolean()) {
            usable = place.usableBytes();
        }
        if (!enough && usable < headroomBytes && place == storage) {
            var _ = spare.allScans().getAsBoolean();
        }
        return usable;
    }

    private EngineException.StorageFull refused(Storage place, Limit limit, String detail) {
        String where = place.describe("");
        return new EngineException.StorageFull(
                switch (limit) {
                    case DISK ->
                        "the disk of " + where + " is full" + detail + ": "
                                + (place == storage ? "delete something, or free space there" : "free space there")
                                + ": writes resume when " + headroomBytes + " bytes are free";
                    case QUOTA -> // a deletion is written to the log first, and has no reserve
                        "the quota on the disk of " + where + " is used up: free space there, or have the quota"
                                + " raised: writes resume when there is room";
                    case FILE_SIZE ->
                        "a file of " + where + " has the largest size that a file may have: have that raised"
                                + " (ulimit -f, or another file system): writes resume when there is room";
                });
    }

    private static EngineException.StorageFull logMayNotGrow(Storage place) {
        return new EngineException.StorageFull("a log of " + place.describe("") + " would be larger than a file may be:"
                + " the next log begins, so try again; where this write alone is too large, have that raised"
                + " (ulimit -f, or another file system)");
    }
}
