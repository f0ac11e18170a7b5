package kvant.lsm.storage;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import kvant.lsm.bytes.ByteWriter;
import kvant.lsm.bytes.Checksum;
import kvant.lsm.bytes.Opened;

/// Writes a file front to back by way of a buffer, and computes the checksum of all of it. Belongs to one
/// thread.
///
/// The disk begins with each piece as soon as it is written. Else all of a table would be handed to it by the sync at
/// the end, and the syncs of logs would wait behind that.
///
/// The buffer is small until the file is not: for a table of a few records, 1 MiB of zeros would be most of the
/// work.
public final class ChecksummedOutput implements AutoCloseable {

    private static final int FIRST_BUFFER_BYTES = 16 << 10;
    private static final int BUFFER_BYTES = 1 << 20;

    private final WritableFile file;
    private final Arena arena = Arena.ofConfined(); // direct memory of its own would wait for the collector
    private ByteBuffer buffer;
    private final Checksum checksum;
    private long size;

    /// Creates the file.
    ///
    /// @param seed of the checksum
    public ChecksummedOutput(Storage storage, String name, long seed) throws IOException {
        this.checksum = new Checksum().seed(seed);
        try (Opened opened = new Opened()) {
            opened.add(arena);
            this.buffer = arena.allocate(FIRST_BUFFER_BYTES).asByteBuffer();
            this.file = storage.create(name); // last: nothing behind it can leave it open
            opened.all(this);
        }
    }

    /// Bytes so far.
    public long size() {
        return size;
    }

    /// The checksum of all bytes so far.
    public int checksum() {
        return checksum.value();
    }

    public void put(ByteWriter bytes) throws IOException {
        put(bytes.array(), 0, bytes.size());
    }

    public void put(byte[] bytes, int offset, int length) throws IOException {
        checksum.add(bytes, offset, length);
        size += length;
        int from = offset;
        int end = offset + length;
        while (from < end) {
            if (!buffer.hasRemaining()) {
                makeRoom();
            }
            int part = Math.min(end - from, buffer.remaining());
            buffer.put(bytes, from, part);
            from += part;
        }
    }

    /// Makes all of it durable, but not its name.
    public void sync() throws IOException {
        flush();
        file.sync();
    }

    private void makeRoom() throws IOException {
        if (buffer.capacity() < BUFFER_BYTES) {
            buffer.flip();
            buffer = arena.allocate(BUFFER_BYTES).asByteBuffer().put(buffer);
        } else {
            flush();
            file.beginWriteback();
        }
    }

    private void flush() throws IOException {
        buffer.flip();
        file.write(buffer);
        buffer.clear();
    }

    @Override
    public void close() throws IOException {
        try (arena) {
            file.close();
        }
    }
}
