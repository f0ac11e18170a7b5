package kvant.lsm.version;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.random.RandomGenerator;
import kvant.engine.EngineException;
import kvant.lsm.bytes.Opened;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.ReadFault;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.StorageFullException;
import kvant.lsm.wal.FileHeader;
import kvant.lsm.wal.Payload;
import kvant.lsm.wal.RecordReader;
import kvant.lsm.wal.RecordType;
import kvant.lsm.wal.RecordWriter;

/// The file that lists which files are part of the store: a log of version edits.
///
/// Every start, and every start of a new manifest when the old one has grown, writes the whole state into a
/// new file, syncs it, renames it over the old one and syncs the directory: at each moment one whole
/// manifest is there.
///
/// One edit at a time is appended; its owner sees to that. Numbers of files, and whether it has failed, may be asked
/// for meanwhile by any thread.
public final class Manifest implements AutoCloseable {

    private static final Logger LOGGER = System.getLogger(Manifest.class.getName());

    /// One buffer for all successive files, because direct memory is freed only by the collector.
    private static final int BUFFER_BYTES = 16 << 10;

    // Constant.
    private final Storage storage;
    private final RandomGenerator random;
    private final long rotateBytes;
    private final ManifestState state;

    // One thread at a time.
    private final Payload payload = new Payload();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private RecordWriter writer;
    private long begunBytes;

    // Written by the thread that appends, read by anyone.
    private volatile boolean failed;

    /// Starts a new manifest file that holds this state.
    ///
    /// @param rotateBytes a file is rewritten when it has grown by this much and has doubled
    public Manifest(Storage storage, RandomGenerator random, long rotateBytes, ManifestState state) throws IOException {
        this.storage = storage;
        this.random = random;
        this.rotateBytes = rotateBytes;
        this.state = state;
        this.writer = begin();
        this.begunBytes = writer.size();
    }

    /// Reads the state of a store; an empty one where there is none yet.
    ///
    /// @throws EngineException.CannotOpen when there are tables or logs but no manifest
    /// @throws EngineException.Corruption when it is damaged
    public static ManifestState read(Storage storage) throws IOException {
        ManifestState state = new ManifestState();
        List<String> files = storage.list();
        if (!files.contains(FileNames.MANIFEST)) {
            refuseOrphans(storage, files);
            return state;
        }
        long bytes = storage.size(FileNames.MANIFEST);
        try (Arena arena = Arena.ofConfined()) {
            RecordReader records = new RecordReader(
                    storage.map(FileNames.MANIFEST, arena),
                    FileHeader.Kind.MANIFEST,
                    storage.describe(FileNames.MANIFEST));
            while (records.next()) {
                switch (records.type()) {
                    case RecordType.EDIT -> state.apply(records);
                    case RecordType.END -> {}
                    default -> throw records.unexpectedType();
                }
            }
            if (!state.isEdited()) {
                throw new EngineException.Corruption(
                        storage.describe(FileNames.MANIFEST), records.validSize(), "it holds no edit");
            }
        } catch (InternalError _) {
            throw ReadFault.damage(storage, FileNames.MANIFEST, bytes, 0);
        }
        return state;
    }

    /// Writes the manifest of a store that consists of these tables and value files, and no log.
    ///
    /// @param content synced, and the names of the files durable
    /// @param sequence the last one in them
    public static void create(Storage storage, RandomGenerator random, WrittenRun content, long sequence)
            throws IOException {
        ManifestState state = new ManifestState();
        state.apply(
                new VersionEdit(content, List.of(), List.of(), List.of(), List.of(), sequence, content.nextNumber()));
        new Manifest(storage, random, Long.MAX_VALUE, state).close();
    }

    public ManifestState state() {
        return state;
    }

    /// Makes an edit durable.
    ///
    /// @throws StorageFullException nothing has happened; a later edit may succeed
    /// @throws IOException the edit may or may not be found after a restart; no further one is accepted
    public void append(VersionEdit edit) throws IOException {
        refuseFailed();
        VersionEdit complete = edit.withNextFileNumber(state.nextFileNumber());
        payload.clear();
        VersionEditDescriptor.encode(complete, payload.out());
        boolean known = false; // the file's content, and that the state has it all
        try {
            writer.append(RecordType.EDIT, 0, payload);
            writer.sync();
            state.apply(complete);
            known = true;
        } catch (StorageFullException e) {
            known = true;
            throw e;
        } finally {
            failed = !known;
        }
        vouch();
        if (writer.size() - begunBytes > Math.max(rotateBytes, begunBytes)) {
            try {
                rotate();
            } catch (Throwable e) {
                // The edit itself is durable, and is to be installed; only the next one is refused.
                LOGGER.log(Level.ERROR, "cannot replace the manifest; restart to recover", e);
            }
        }
    }

    /// Appends a record that says that the edit is durable. Without it a damaged last edit would look like one
    /// that a crash tore, and the files that it named would be deleted. Not synced: after a power cut the tail
    /// may be torn anyway.
    private void vouch() {
        payload.clear();
        boolean known = false;
        try {
            writer.append(RecordType.END, 0, payload);
            known = true;
        } catch (IOException e) {
            known = !writer.isDead();
            LOGGER.log(Level.WARNING, "cannot write behind an edit: {0}", e.getMessage());
        } finally {
            failed = !known;
        }
    }

    /// Call this before files are made for an edit, so that none are made in vain.
    ///
    /// @throws IOException when no edit is accepted any more
    public void refuseFailed() throws IOException {
        if (failed) {
            throw new IOException(
                    storage.describe(FileNames.MANIFEST) + " could not be written before; restart to recover");
        }
    }

    /// Refuses all further edits, because the state in memory has not followed the last one: they would be based on
    /// less than the file holds.
    void fail() {
        failed = true;
    }

    /// A number that no file has had.
    public long nextFileNumber() {
        return state.takeFileNumber();
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }

    /// Replaces the manifest. Before the rename a failure changes nothing: the old file holds everything and can grow
    /// further. After it, it is unknown which of the two a restart will find, so neither may get another edit.
    private void rotate() throws IOException {
        RecordWriter next;
        try {
            next = prepare();
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, "cannot begin a new manifest, the old one grows on: {0}", e.getMessage());
            return;
        }
        try (RecordWriter _ = writer) {
            writer = next;
            begunBytes = next.size();
            boolean known = false;
            try {
                swapNames();
                known = true;
            } finally {
                failed = !known;
            }
        }
    }

    private RecordWriter begin() throws IOException {
        try (Opened opened = new Opened()) {
            RecordWriter next = opened.add(prepare());
            swapNames();
            return opened.all(next);
        }
    }

    private RecordWriter prepare() throws IOException {
        if (storage.list().contains(FileNames.MANIFEST_NEW)) {
            storage.delete(FileNames.MANIFEST_NEW);
        }
        FileHeader header = new FileHeader(
                FileHeader.Kind.MANIFEST,
                VersionEditDescriptor.VERSION,
                random.nextLong(),
                0,
                FileHeader.Predecessor.NONE);
        try (Opened opened = new Opened()) {
            RecordWriter next = opened.add(RecordWriter.create(storage, FileNames.MANIFEST_NEW, header, buffer));
            payload.clear();
            VersionEditDescriptor.encode(state.asEdit(), payload.out());
            next.append(RecordType.EDIT, 0, payload);
            next.sync();
            payload.clear();
            next.append(RecordType.END, 0, payload);
            return opened.all(next);
        }
    }

    private void swapNames() throws IOException {
        storage.rename(FileNames.MANIFEST_NEW, FileNames.MANIFEST);
        storage.syncDirectory();
    }

    private static void refuseOrphans(Storage storage, List<String> files) {
        for (String file : files) {
            if (FileNames.isNumbered(file)) {
                throw new EngineException.CannotOpen(storage.describe(FileNames.MANIFEST)
                        + " is missing, but there are tables or logs such as " + file
                        + ": put the manifest back from a copy of this directory");
            }
        }
    }
}
