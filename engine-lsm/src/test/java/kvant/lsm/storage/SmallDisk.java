package kvant.lsm.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import kvant.lsm.storage.StorageFullException.Limit;

/// A disk that holds so many bytes and refuses more, in memory.
public final class SmallDisk extends ForwardingStorage {

    private final HeapStorage files;
    private volatile long capacityBytes;
    private volatile long longestFileBytes = Long.MAX_VALUE;
    private String name = "heap";
    private Limit limit = Limit.DISK;

    public SmallDisk(long capacityBytes) {
        this(new HeapStorage(), capacityBytes);
    }

    private SmallDisk(HeapStorage files, long capacityBytes) {
        super(files);
        this.files = files;
        this.capacityBytes = capacityBytes;
    }

    /// Another program frees or takes the rest.
    public void setUsableBytes(long bytes) {
        capacityBytes = usedBytes() + bytes;
    }

    /// The remaining space is that of a quota, which the disk does not show.
    public SmallDisk withQuota() {
        limit = Limit.QUOTA;
        return this;
    }

    /// No file may grow beyond this.
    public void setLongestFileBytes(long bytes) {
        longestFileBytes = bytes;
    }

    /// For messages.
    public SmallDisk named(String newName) {
        name = newName;
        return this;
    }

    @Override
    public String describe(String file) {
        return name + "/" + file;
    }

    public long usedBytes() {
        return files.totalBytes(_ -> true);
    }

    @Override
    public long usableBytes() {
        return limit == Limit.QUOTA ? Long.MAX_VALUE : leftBytes();
    }

    private long leftBytes() {
        return Math.max(0, capacityBytes - usedBytes());
    }

    @Override
    public WritableFile create(String file) throws IOException {
        return new BoundedFile(describe(file), super.create(file));
    }

    private final class BoundedFile extends ForwardingFile {

        private final String where;
        private long position;
        private long size;

        BoundedFile(String where, WritableFile file) {
            super(file);
            this.where = where;
        }

        /// Preallocated bytes have their room.
        @Override
        public void write(ByteBuffer bytes) throws IOException {
            int more = bytes.remaining();
            refuseBeyond(position + more);
            super.write(bytes);
            position += more;
            size = Math.max(size, position);
        }

        /// Takes what fits, as a disk does, before it finds that this is too little.
        @Override
        public void preallocate(long bytes) throws IOException {
            long fits = Math.min(Math.min(bytes, longestFileBytes), size + leftBytes());
            super.preallocate(fits);
            size = Math.max(size, fits);
            refuseBeyond(bytes);
        }

        @Override
        public void truncate(long newSize) throws IOException {
            super.truncate(newSize);
            position = Math.min(position, newSize);
            size = newSize;
        }

        private void refuseBeyond(long newSize) throws StorageFullException {
            if (newSize > longestFileBytes) {
                throw new StorageFullException(Limit.FILE_SIZE, where, new IOException("too large"));
            }
            if (newSize - size > leftBytes()) {
                throw new StorageFullException(limit, where, new IOException("full"));
            }
        }
    }
}
