package kvant.lsm.wal;

import java.io.IOException;
import java.nio.ByteBuffer;
import kvant.lsm.bytes.ByteWriter;
import kvant.lsm.bytes.Checksum;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.WritableFile;

/// Appends records to one file, and knows how much of it is durable.
///
/// Belongs to one thread at a time. After [#sync] has failed the file is dead: nothing may be written to it
/// or synced again, because a second sync would report success for pages that the first one has dropped
/// (Rebello et al., "Can Applications Recover from fsync Failures?", 2020).
public final class RecordWriter implements AutoCloseable {

    private static final int BUFFER_BYTES = 256 << 10;

    // Constant.
    private final WritableFile file;
    private final FileHeader header;

    // One thread.
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final byte[] headerScratch = new byte[RecordDescriptor.HEADER_BYTES];
    private final Checksum checksum = new Checksum();
    private long size;
    private long syncedSize;

    private RecordWriter(WritableFile file, FileHeader header) {
        this.file = file;
        this.header = header;
    }

    /// Creates a file with its header, durable except for its name: the caller syncs the directory.
    public static RecordWriter create(Storage storage, String name, FileHeader header) throws IOException {
        WritableFile file = storage.create(name);
        boolean created = false;
        try {
            RecordWriter writer = new RecordWriter(file, header);
            ByteWriter encoded = new ByteWriter(FileHeaderDescriptor.BYTES);
            FileHeaderDescriptor.encode(header, encoded);
            writer.put(encoded.array(), 0, encoded.size());
            writer.flush();
            writer.size = FileHeaderDescriptor.BYTES;
            writer.sync();
            created = true;
            return writer;
        } finally {
            if (!created) {
                file.close();
            }
        }
    }

    public FileHeader header() {
        return header;
    }

    /// Appends one record; not durable before [#sync].
    ///
    /// @throws IOException nothing of the record is in the file any more, and the writer can be used on,
    ///     unless the exception has a suppressed one: then the file is dead
    public void append(int type, long firstSequence, Payload payload) throws IOException {
        int length = Math.toIntExact(payload.size());
        checksum.seed(header.id());
        payload.forEachPiece(checksum::add);
        buffer.clear();
        RecordDescriptor.encodeHeader(
                buffer, headerScratch, header.id(), type, firstSequence, syncedSize, length, checksum.value());
        try {
            payload.forEachPiece(this::put);
            put(new byte[RecordDescriptor.ALIGNMENT], 0, (int) (RecordDescriptor.align(length) - length));
            flush();
        } catch (IOException e) {
            takeBack(e);
            throw e;
        }
        size += RecordDescriptor.recordBytes(length);
    }

    /// Makes every appended record durable.
    public void sync() throws IOException {
        if (syncedSize < size) {
            file.sync();
            syncedSize = size;
        }
    }

    public long size() {
        return size;
    }

    public boolean hasUnsynced() {
        return syncedSize < size;
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

    private void takeBack(IOException cause) {
        try {
            file.truncate(size);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }
}
