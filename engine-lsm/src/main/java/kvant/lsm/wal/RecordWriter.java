package kvant.lsm.wal;

import java.io.IOException;
import java.nio.ByteBuffer;
import kvant.lsm.bytes.ByteWriter;
import kvant.lsm.bytes.Checksum;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.StorageFullException;
import kvant.lsm.storage.WritableFile;

/// Appends records to one file, and tracks how much of it is durable.
///
/// Belongs to one thread at a time. After [#sync] has failed the writer is dead: nothing may be written or
/// synced again, because a second sync would report success for pages that the first one has dropped (Rebello
/// et al., "Can Applications Recover from fsync Failures?", 2020).
public final class RecordWriter implements AutoCloseable {

    /// A good size for the buffer.
    public static final int BUFFER_BYTES = 256 << 10;

    private static final byte[] PADDING = new byte[RecordDescriptor.ALIGNMENT];

    // Constant.
    private final WritableFile file;
    private final FileHeader header;

    // One thread.
    private final ByteBuffer buffer;
    private final byte[] headerScratch = new byte[RecordDescriptor.HEADER_BYTES];
    private final Checksum checksum = new Checksum();
    private long size;
    private long syncedSize;
    private boolean dead;

    private RecordWriter(WritableFile file, FileHeader header, ByteBuffer buffer) {
        this.file = file;
        this.header = header;
        this.buffer = buffer;
    }

    /// Creates a file with its header, durable except for its name: the caller syncs the directory.
    ///
    /// @param buffer empty between two calls, so that all writers of one thread may share one; preferably
    ///     direct, of [#BUFFER_BYTES]
    public static RecordWriter create(Storage storage, String name, FileHeader header, ByteBuffer buffer)
            throws IOException {
        return begin(storage, name, storage.create(name), header, buffer);
    }

    /// Begins a file that was created and may have been preallocated, but holds nothing. Where that fails, the
    /// file is deleted. The rest is as with [#create].
    public static RecordWriter begin(
            Storage storage, String name, WritableFile file, FileHeader header, ByteBuffer buffer) throws IOException {
        boolean created = false;
        try {
            RecordWriter writer = new RecordWriter(file, header, buffer);
            writer.buffer.clear();
            ByteWriter encoded = new ByteWriter(FileHeader.BYTES);
            header.encode(encoded);
            writer.put(encoded.array(), 0, encoded.size());
            writer.flush();
            writer.size = FileHeader.BYTES;
            writer.sync();
            created = true;
            return writer;
        } finally {
            if (!created) {
                try (file) {
                    storage.discard(name);
                } catch (IOException _) {
                    // The file could not be closed either: the failure that led here is the one to report.
                }
            }
        }
    }

    public FileHeader header() {
        return header;
    }

    /// Appends one record; not durable before [#sync].
    ///
    /// @throws StorageFullException nothing of the record is in the file, and the writer can be used on
    /// @throws IOException for any other failure; see [#isDead]
    public void append(int type, long firstSequence, Payload payload) throws IOException {
        refuseDead();
        int length = Math.toIntExact(payload.size());
        checksum.seed(header.id());
        payload.forEachPiece(checksum::add);
        buffer.clear();
        RecordDescriptor.encodeHeader(
                buffer, headerScratch, header.id(), type, firstSequence, syncedSize, length, checksum.value());
        boolean appended = false;
        try {
            payload.forEachPiece(this::put);
            put(PADDING, 0, (int) (RecordDescriptor.align(length) - length));
            flush();
            appended = true;
        } finally {
            if (!appended) {
                takeBack();
            }
        }
        size += RecordDescriptor.recordBytes(length);
    }

    /// Makes every appended record durable.
    ///
    /// @throws IOException never one that reports a full disk: in any case, the file is dead
    public void sync() throws IOException {
        if (syncedSize == size) {
            return;
        }
        refuseDead();
        dead = true; // until it is known to have succeeded
        try {
            file.sync();
        } catch (StorageFullException e) {
            throw new IOException("a sync found no room: " + e.getMessage(), e);
        }
        dead = false;
        syncedSize = size;
    }

    /// Whether the content of the file is unknown after a failure: nothing may be appended or synced.
    public boolean isDead() {
        return dead;
    }

    public long size() {
        return size;
    }

    public boolean hasUnsynced() {
        return syncedSize < size;
    }

    /// Truncates the file to its records. Not synced: should a power cut undo it, there are zeros behind the
    /// last record, which readers ignore.
    public void cutRoom() throws IOException {
        refuseDead();
        file.truncate(size);
    }

    /// Closes without syncing.
    @Override
    public void close() throws IOException {
        file.close();
    }

    private void put(byte[] bytes, int offset, int length) throws IOException {
        int from = offset;
        int end = offset + length;
        while (from < end) {
            if (!buffer.hasRemaining()) {
                flush();
            }
            int part = Math.min(end - from, buffer.remaining());
            buffer.put(bytes, from, part);
            from += part;
        }
    }

    private void flush() throws IOException {
        buffer.flip();
        try {
            file.write(buffer);
        } finally {
            buffer.clear();
        }
    }

    /// Truncates an incompletely written record: later records must not be behind it, where no reader would find
    /// them.
    private void takeBack() throws IOException {
        dead = true;
        try {
            file.truncate(size);
        } catch (IOException e) {
            // StorageFullException would mean that nothing has changed.
            throw new IOException("a record that was written in part cannot be cut off: " + e.getMessage(), e);
        }
        dead = false;
    }

    private void refuseDead() throws IOException {
        if (dead) {
            throw new IOException("it failed before; restart to recover");
        }
    }
}
