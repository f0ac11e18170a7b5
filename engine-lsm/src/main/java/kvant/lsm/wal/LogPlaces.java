package kvant.lsm.wal;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import kvant.engine.EngineException;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.ReadFault;
import kvant.lsm.storage.Storage;
import org.jspecify.annotations.Nullable;

/// The groups of one log by position, for readers of a log that may be written to or deleted meanwhile.
///
/// The file is opened for each piece that is read and closed at once, so that it can be deleted at any time. Nothing
/// is mapped: a log is truncated when it is finished. Data is read into an arena of the caller's. Belongs to one
/// thread.
public final class LogPlaces {

    private static final Logger LOGGER = System.getLogger(LogPlaces.class.getName());

    /// The offset of a log's first record.
    public static final long FIRST = FileHeader.BYTES;

    private static final long WINDOW_BYTES = 256 << 10;

    /// A valid group.
    ///
    /// @param payload its mutations; see [GroupDescriptor]
    /// @param next where the record behind it is
    public record Group(MemorySegment payload, long firstSequence, long next) {

        /// A view of the mutations.
        public ByteReader reader() {
            return new ByteReader(payload);
        }
    }

    // Constant.
    private final Storage storage;
    private final String file;
    private final long id;
    private final Arena arena;

    // One thread.
    private @Nullable MemorySegment buffer;
    private MemorySegment window = MemorySegment.NULL;
    private long windowAt;

    private LogPlaces(Storage storage, String file, long id, Arena arena) {
        this.storage = storage;
        this.file = file;
        this.id = id;
        this.arena = arena;
    }

    /// @param arena for the memory of reads
    /// @return null where the file does not begin like a log: it has just been created, or a crash interrupted its
    ///     creation
    /// @throws java.nio.file.NoSuchFileException when the file no longer exists
    public static @Nullable LogPlaces open(Storage storage, long number, Arena arena) throws IOException {
        String file = FileNames.log(number);
        MemorySegment head = arena.allocate(FileHeader.BYTES);
        if (storage.read(file, 0, head) < head.byteSize()) {
            return null;
        }
        try {
            long id = FileHeader.decode(head, FileHeader.Kind.LOG, storage.describe(file))
                    .id();
            return new LogPlaces(storage, file, id, arena);
        } catch (EngineException.Corruption _) {
            return null;
        }
    }

    /// Whether a log holds a group with a higher sequence number. Reads it where it is mapped: a group may be larger
    /// than the memory there is.
    ///
    /// @throws EngineException.Corruption of a log that the disk cannot read
    public static boolean holdsGroup(Storage storage, long number, long above) throws IOException {
        String file = FileNames.log(number);
        long bytes = storage.size(file);
        try (Arena arena = Arena.ofConfined()) {
            RecordReader log = new RecordReader(storage.map(file, arena), FileHeader.Kind.LOG, storage.describe(file));
            while (log.next()) {
                if (log.type() == RecordType.GROUP && log.firstSequence() > above) {
                    return true;
                }
            }
            return false;
        } catch (EngineException.Corruption _) {
            return false; // a crash while it was created, or while it was obsolete
        } catch (InternalError _) { // of the mapping: the content of the log is unknown
            throw ReadFault.damage(storage, file, bytes, 0);
        }
    }

    /// Cuts off the zeros of a preallocated log that were never overwritten, because the process was killed. They take
    /// room on the disk, and of the bound on logs kept for followers of changes.
    ///
    /// That is safe at any time: no record is touched, and nothing is synced, because a sync of that log may
    /// have failed before. Should a power cut bring them back, the next start cuts them again. A failure costs
    /// only room.
    ///
    /// @param number of a log that is neither being written nor mapped
    /// @param writtenBytes size without the preallocated room
    public static void cutRoom(Storage storage, long number, long writtenBytes) {
        String file = FileNames.log(number);
        try {
            if (storage.size(file) > writtenBytes) {
                storage.truncate(file, writtenBytes);
            }
        } catch (IOException e) {
            LOGGER.log(Level.DEBUG, "{0} keeps its room: {1}", storage.describe(file), e.getMessage());
        }
    }

    /// Cuts the zeros after the records of a log, whose length it reads. Reads only a log that ends with zeros.
    public static void cutRoom(Storage storage, long number) {
        long writtenBytes;
        try {
            writtenBytes = writtenBytes(storage, FileNames.log(number));
        } catch (IOException | InternalError | EngineException e) {
            LOGGER.log(Level.DEBUG, "log {0} keeps its room: {1}", number, e.getMessage());
            return;
        }
        cutRoom(storage, number, writtenBytes);
    }

    private static long writtenBytes(Storage storage, String file) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = storage.map(file, arena);
            long size = bytes.byteSize();
            if (size < Long.BYTES || bytes.get(ByteReader.LONG, size - Long.BYTES) != 0) {
                return size;
            }
            RecordReader log = new RecordReader(bytes, FileHeader.Kind.LOG, storage.describe(file));
            while (log.next()) {
                // To its end.
            }
            return log.validSize() + log.tornBytes();
        }
    }

    /// The bytes of a log's groups; an end record, remains of a crash, and preallocated room follow.
    public static long groupBytes(Storage storage, long number) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            LogPlaces log = open(storage, number, arena);
            long end = FIRST;
            if (log != null) {
                for (Group next = log.at(end); next != null; next = log.at(end)) {
                    end = next.next();
                }
            }
            return end;
        }
    }

    /// The group at a position or behind the end records there, valid until the next call. Null where no whole and
    /// valid group follows: the log ends there, or is damaged there. A caller that knows the synced size can tell
    /// the two apart by the next log.
    ///
    /// An end record is not always the last one: where the next log could not begin, this one continues.
    public @Nullable Group at(long place) throws IOException {
        long next = place;
        while (true) {
            long at = moveWindow(next, RecordDescriptor.HEADER_BYTES);
            if (at < 0 || !RecordDescriptor.isHeader(window, at, id)) {
                return null;
            }
            long bytes = RecordDescriptor.recordBytes(RecordDescriptor.length(window, at));
            at = moveWindow(next, bytes);
            if (at < 0 || !RecordDescriptor.isHeader(window, at, id) || !RecordDescriptor.isPayload(window, at, id)) {
                return null;
            }
            next += bytes;
            int type = RecordDescriptor.type(window, at);
            if (type == RecordType.GROUP) {
                int length = RecordDescriptor.length(window, at);
                return new Group(
                        window.asSlice(at + RecordDescriptor.HEADER_BYTES, length),
                        RecordDescriptor.sequence(window, at),
                        next);
            }
            if (type != RecordType.END) {
                return null;
            }
        }
    }

    /// Moves the window so that it holds this many bytes of the file.
    ///
    /// @return their start in the window, or a negative number when the file has fewer
    private long moveWindow(long place, long bytes) throws IOException {
        long at = place - windowAt;
        if (at < 0 || at + bytes > window.byteSize()) {
            MemorySegment room = buffer;
            if (room == null || room.byteSize() < bytes) {
                room = arena.allocate(Math.max(WINDOW_BYTES, bytes), RecordDescriptor.ALIGNMENT);
                buffer = room;
            }
            window = room.asSlice(0, Math.max(0, storage.read(file, place, room)));
            windowAt = place;
            at = 0;
        }
        return bytes <= window.byteSize() - at ? at : -1;
    }
}
