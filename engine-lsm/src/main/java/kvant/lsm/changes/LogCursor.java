package kvant.lsm.changes;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import kvant.engine.EngineException;
import kvant.engine.Mutation;
import kvant.engine.feed.Change;
import kvant.engine.feed.ChangeCursor;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.record.Tag;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;
import kvant.lsm.wal.GroupDescriptor;
import kvant.lsm.wal.LogPlaces;
import org.jspecify.annotations.Nullable;

/// A place in the logs of a store: a log, an offset in it, and the version of the last change that was given.
///
/// It relies on gapless sequence numbers. A group is read only where the expected one is known to be durable, so that
/// it is whole; where it is not in the log, it is in the next one, and where that begins behind it, it is gone: with
/// its log, or by damage. So neither a torn tail nor a log that was deleted can be taken for the end.
final class LogCursor implements ChangeCursor {

    private static final long NO_LOG = -1;

    /// Bytes charged for a change beyond its content.
    private static final int CHANGE_OVERHEAD_BYTES = 64;

    /// A group is read and checked again for each part of it that is returned. Long groups have long parts.
    private static final int PARTS_OF_GROUP = 16;

    // Constant.
    private final Storage storage;
    private final LogChanges changes;

    // One thread.
    private long log = NO_LOG;
    private long place;
    private long leftLog = NO_LOG;
    private long leftPlace;
    private long version;

    LogCursor(Storage storage, LogChanges changes, long version) {
        this.storage = storage;
        this.changes = changes;
        this.version = version;
    }

    @Override
    public long version() {
        return version;
    }

    @Override
    public void read(long upTo, long bytes, Sink sink) {
        changes.refuseClosed();
        long limit = Math.min(upTo, changes.newest());
        if (version >= limit) {
            return;
        }
        long before = version;
        try (Arena arena = Arena.ofConfined()) {
            readUpTo(limit, Math.max(1, bytes), sink, arena);
        } catch (EngineException.Gone e) {
            if (version == before) { // else the changes found are reported first
                throw e;
            }
        } catch (ClosedByInterruptException e) {
            throw new EngineException.Io("the thread that reads changes was interrupted: read on later", e);
        } catch (IOException e) {
            changes.refuseClosed();
            throw new EngineException.Io("cannot read a log of " + storage.describe("") + ": " + e.getMessage(), e);
        }
    }

    private void readUpTo(long limit, long bytes, Sink sink, Arena arena) throws IOException {
        try {
            LogPlaces places = log == NO_LOG ? find(arena) : LogPlaces.open(storage, log, arena);
            long left = bytes;
            while (version < limit && left > 0) {
                LogPlaces.Group group = groupAt(place, places);
                if (group == null) {
                    places = next(arena);
                } else if (group.firstSequence() > version + 1) {
                    throw lost(leftLog, leftPlace);
                } else {
                    left = give(group, limit, left, sink);
                }
            }
        } catch (NoSuchFileException _) {
            throw gone();
        }
    }

    /// @return how many bytes are left to be given
    private long give(LogPlaces.Group group, long limit, long bytes, Sink sink) {
        long most = Math.max(bytes, group.payload().byteSize() / PARTS_OF_GROUP);
        long given = 0;
        long sequence = group.firstSequence() - 1;
        ByteReader in = group.reader();
        try {
            while (in.hasRemaining()) {
                sequence++;
                Change change = decode(in, sequence);
                if (sequence > version) {
                    boolean more = in.hasRemaining();
                    sink.change(change, more);
                    version = sequence;
                    given += bytes(change.mutation());
                    if (more && (given >= most || version >= limit)) {
                        return bytes - given;
                    }
                }
            }
        } catch (IndexOutOfBoundsException e) {
            throw new EngineException.Corruption(
                    storage.describe(FileNames.log(log)), place, "a record cannot be decoded: " + e.getMessage());
        }
        place = group.next();
        leftLog = NO_LOG;
        return bytes - given;
    }

    private static Change decode(ByteReader in, long sequence) {
        Mutation[] decoded = new Mutation[1];
        GroupDescriptor.decodeOne(
                in,
                sequence,
                (_, kind, key, valueAt, valueLength, expiresAtMillis) -> decoded[0] = kind == Tag.DELETE
                        ? new Mutation.Delete(key)
                        : new Mutation.Put(key, in.bytesAt(valueAt, valueLength), expiresAtMillis));
        return new Change(sequence, Objects.requireNonNull(decoded[0]));
    }

    private static long bytes(Mutation mutation) {
        long value = mutation instanceof Mutation.Put put ? put.value().length : 0;
        return mutation.key().length + value + CHANGE_OVERHEAD_BYTES;
    }

    /// The newest log that does not begin behind the change that is to come.
    private LogPlaces find(Arena arena) throws IOException {
        List<Long> logs = logs();
        for (long number : logs.reversed()) {
            LogPlaces places = openListed(number, arena);
            LogPlaces.Group first = groupAt(LogPlaces.FIRST, places);
            if (places != null && first != null && first.firstSequence() <= version + 1) {
                begin(number);
                return places;
            }
        }
        throw gone();
    }

    /// Null also where the log was deleted meanwhile, as one without a change is: sequence numbers tell whether that
    /// matters.
    private static LogPlaces.@Nullable Group groupAt(long place, @Nullable LogPlaces places) throws IOException {
        try {
            return places == null ? null : places.at(place);
        } catch (NoSuchFileException _) {
            return null;
        }
    }

    /// Null also where it was deleted after it was listed, as with a log that could not begin: the other logs still
    /// exist.
    private @Nullable LogPlaces openListed(long number, Arena arena) throws IOException {
        try {
            return LogPlaces.open(storage, number, arena);
        } catch (NoSuchFileException _) {
            return null;
        }
    }

    /// The log behind the present one. It may hold nothing: then another one follows it.
    private @Nullable LogPlaces next(Arena arena) throws IOException {
        for (long number : logs()) {
            if (number > log) {
                if (leftLog == NO_LOG) {
                    leftLog = log;
                    leftPlace = place;
                }
                begin(number);
                return openListed(number, arena);
            }
        }
        throw leftLog == NO_LOG ? lost(log, place) : lost(leftLog, leftPlace);
    }

    private void begin(long number) {
        log = number;
        place = LogPlaces.FIRST;
    }

    /// Oldest first. Looked up where the files are, because a log leaves the manifest before it is deleted.
    private List<Long> logs() throws IOException {
        List<Long> logs = new ArrayList<>();
        for (String file : storage.list()) {
            Long number = FileNames.logNumber(file);
            if (number != null) {
                logs.add(number);
            }
        }
        logs.sort(null);
        return logs;
    }

    /// The error for a change that is in no later log, though it was synced. A follower has to start again in any
    /// case; the message shows operators the place.
    private EngineException.Gone lost(long number, long at) throws IOException {
        return logs().contains(number)
                ? new EngineException.Gone("the change behind version " + version + " is missing, though it was"
                        + " written: it is neither at byte " + at + " of " + storage.describe(FileNames.log(number))
                        + " nor in a log after it, one of which is damaged or missing; read the range again")
                : gone();
    }

    private EngineException.Gone gone() {
        return new EngineException.Gone(
                "the changes after version " + version + " are no longer held: read the range again, or"
                        + " have the node keep more of them (--changes-retain)");
    }
}
