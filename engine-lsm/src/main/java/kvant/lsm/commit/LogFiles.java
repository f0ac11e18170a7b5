package kvant.lsm.commit;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import kvant.engine.Durability;
import kvant.lsm.bytes.Opened;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.NoDescriptorException;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.StorageFullException;
import kvant.lsm.storage.WritableFile;
import kvant.lsm.store.Store;
import kvant.lsm.store.StoreOptions;
import kvant.lsm.version.LogInfo;
import kvant.lsm.version.VersionEdit;
import kvant.lsm.wal.FileHeader;
import kvant.lsm.wal.LogSegments;
import kvant.lsm.wal.Payload;
import kvant.lsm.wal.RecordType;
import kvant.lsm.wal.RecordWriter;
import kvant.lsm.wal.RecoveredLogs;

/// The current log, and the change from one log to the next.
///
/// A log ends when its memtable is sealed, and also when its preallocated room is full and a successor is ready; so a
/// memtable has one or more logs. Belongs to the commit thread.
final class LogFiles {

    private static final Logger LOGGER = System.getLogger(LogFiles.class.getName());

    /// Mean group size above which preallocation does not pay: the change of a file's size is then a small part of a
    /// sync's cost, and filling a file with zeros first would double the written bytes.
    private static final long LARGE_GROUP_BYTES = 64 << 10;

    /// @param roomBytes preallocated bytes of its file
    private record Begun(RecordWriter log, long roomBytes) {}

    // Constant.
    private final Storage storage;
    private final Store store;
    private final StoreOptions options;
    private final CommitFigures figures;
    private final LogSegments segments;
    private final Arena arena = Arena.ofShared(); // begun by the thread that opens, closed by the commit thread
    private final ByteBuffer buffer = arena.allocate(RecordWriter.BUFFER_BYTES).asByteBuffer();

    // Commit thread.
    private final Payload end = new Payload();
    private final List<Long> logsOfMemtable = new ArrayList<>();
    private RecordWriter log;
    private long roomBytes;
    private long groups;

    /// Begins a log.
    ///
    /// @param recovered the logs before it
    LogFiles(Store store, CommitFigures figures, RecoveredLogs recovered) throws IOException {
        this.store = store;
        this.storage = store.storage();
        this.options = store.options();
        this.figures = figures;
        // Preallocates only where each group is synced: otherwise zeros would be written without need.
        long bytes = options.durability() instanceof Durability.Always ? options.preallocatedBytes() : 0;
        this.segments = new LogSegments(
                storage, bytes, options.headroomBytes(), () -> store.figures().activities());
        try (Opened opened = new Opened()) {
            opened.add(arena);
            this.log = opened.all(beginFirst(recovered));
        }
    }

    private RecordWriter beginFirst(RecoveredLogs recovered) throws IOException {
        logsOfMemtable.addAll(recovered.inMemtable());
        try (Opened opened = new Opened()) {
            RecordWriter first = opened.add(begin(recovered.end(), added -> VersionEdit.logs(added, recovered.empty()))
                    .log());
            logsOfMemtable.add(first.header().number());
            return opened.all(first);
        }
    }

    RecordWriter current() {
        return log;
    }

    /// Waits until the appended records are on the disk.
    void sync() throws IOException {
        CommitEvent.LogSync event = new CommitEvent.LogSync();
        event.beginNow();
        log.sync();
        event.commit();
    }

    /// Requests a successor in time, after a group was appended.
    void appended() {
        groups++;
        if (segments.bytes() > 0 && log.size() >= nextIsDueAt() && log.size() / groups < LARGE_GROUP_BYTES) {
            segments.request();
        }
    }

    /// A log without room asks soon, but not on an idle node; one with room when half of it is full, or half of
    /// the memtable is, whose end is the log's too.
    private long nextIsDueAt() {
        long soon = segments.bytes() / 16;
        boolean memtableIsHalfFull = store.active().bytes() >= options.memtableBytes() / 2;
        return roomBytes == 0 || memtableIsHalfFull ? soon : roomBytes / 2;
    }

    /// Changes to a successor that is ready, where there is no preallocated room left in the log.
    ///
    /// @param lastSequence the last that was given
    void rotateIfReady(long lastSequence) throws IOException {
        if (log.size() >= roomBytes && segments.isReady()) {
            CommitEvent.LogChange event = CommitEvent.LogChange.begun();
            try {
                use(beginNext(lastSequence), event);
            } catch (StorageFullException | NoDescriptorException _) {
                segments.giveRoomBack(); // this log can still grow
            }
        }
    }

    /// Seals the memtable together with its logs, and begins the log of the next one.
    ///
    /// @param isAwaited whether that is for its flush, as of [kvant.lsm.store.SealedMemtable]
    /// @throws StorageFullException nothing has changed
    /// @throws NoDescriptorException nothing has changed
    void seal(long lastSequence, boolean isAwaited) throws IOException {
        CommitEvent.LogChange event = CommitEvent.LogChange.begun();
        Begun next = beginNext(lastSequence);
        boolean sealed = false;
        try {
            store.seal(logsOfMemtable, isAwaited);
            sealed = true;
        } finally {
            if (!sealed) { // an error, of memory: no thread writes to it
                next.log().close();
            }
        }
        logsOfMemtable.clear();
        use(next, event);
    }

    /// Seals the memtable for its flush, after a failure of the log. The manifest still names that log: it may hold
    /// records that were taken back, and an unnamed log that holds more than the tables is refused at the next
    /// start.
    void sealAfterFailure() {
        long failed = log.header().number();
        List<Long> ended =
                logsOfMemtable.stream().filter(number -> number != failed).toList();
        store.seal(ended, true);
        logsOfMemtable.removeAll(ended);
    }

    /// Whether logs on a disk of their own will soon find no room there, although the disk reports free space, as
    /// with a quota. A flush frees some while there is still enough for the next log to begin.
    boolean areShort() {
        return segments.metLimit() && storage.logs() != storage;
    }

    /// Releases the preallocated segment to a write that found no room.
    void giveRoomBack() {
        segments.giveRoomBack();
    }

    /// Ends the log for good.
    ///
    /// @param lastSequence the last that was given
    /// @param orderly false after a failure: the log stays as it is
    void close(long lastSequence, boolean orderly) throws IOException {
        try (arena;
                segments;
                RecordWriter last = log) {
            if (orderly) {
                finish(lastSequence);
                tellManifest(lastSequence);
                last.cutRoom();
            }
        }
    }

    /// Records the log's end in the manifest as well. Without that, the next start treats the log as after a crash.
    private void tellManifest(long lastSequence) {
        try {
            store.apply(VersionEdit.logFinished(finished(lastSequence))); // nothing more is written to it
        } catch (IOException e) {
            LOGGER.log(
                    Level.WARNING,
                    "the manifest cannot say where {0} ends, so that only its own records do: {1}",
                    storage.describe(FileNames.log(log.header().number())),
                    e.getMessage());
        }
    }

    /// The manifest's entry of the log, once [#finish] has returned.
    private LogInfo finished(long lastSequence) {
        return new LogInfo(log.header().number(), log.header().id(), log.size(), lastSequence);
    }

    private Begun beginNext(long lastSequence) throws IOException {
        FileHeader.Predecessor predecessor = finish(lastSequence);
        LogInfo finished = finished(lastSequence);
        return begin(predecessor, added -> VersionEdit.logChanged(finished, added));
    }

    /// Finishes the log with a record that vouches for all before it. Where there is no room for that, the header of
    /// the next log does: a log that may not grow is not to be the last one for that.
    private FileHeader.Predecessor finish(long lastSequence) throws IOException {
        sync();
        long size = log.size();
        end.clear();
        try {
            log.append(RecordType.END, lastSequence + 1, end);
        } catch (StorageFullException _) {
            // nothing of it is in the file
        }
        sync();
        return new FileHeader.Predecessor(log.header().number(), size, lastSequence);
    }

    /// @param edit manifest edit for the new log
    private Begun begin(FileHeader.Predecessor predecessor, Function<LogInfo, VersionEdit> edit) throws IOException {
        long number = store.nextFileNumber();
        String name = FileNames.log(number);
        FileHeader header = new FileHeader(FileHeader.Kind.LOG, options.random().nextLong(), number, predecessor);
        WritableFile segment = segments.take(name); // last: nothing behind it can leave it open
        RecordWriter next = segment == null
                ? RecordWriter.create(storage, name, header, buffer)
                : RecordWriter.begin(storage, name, segment, header, buffer);
        boolean isBegun = false;
        try {
            Begun begun = new Begun(next, segment == null ? 0 : segments.bytes());
            store.addLog(edit.apply(new LogInfo(number, header.id())));
            isBegun = true;
            return begun;
        } catch (StorageFullException | NoDescriptorException e) {
            storage.delete(name); // it will be tried again and again
            throw e;
        } finally {
            if (!isBegun) {
                next.close(); // the manifest may know the file: the next start will tell
            }
        }
    }

    private void use(Begun next, CommitEvent.LogChange event) {
        RecordWriter full = log;
        log = next.log(); // first: from here on it is closed with the rest
        roomBytes = next.roomBytes();
        groups = 0;
        try {
            logsOfMemtable.add(log.header().number());
            figures.logBegun(roomBytes > 0);
        } finally {
            segments.retire(full);
        }
        event.end(full.header().number(), full.size(), log.header().number(), roomBytes > 0);
    }
}
