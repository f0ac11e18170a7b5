package kvant.lsm.storage;

import java.io.IOException;
import java.nio.ByteBuffer;

/// A disk that holds so many bytes and refuses more, in memory.
public final class SmallDisk extends ForwardingStorage {

    private final HeapStorage files;
    private volatile long capacityBytes;
    private String name = "heap";

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
        return Math.max(0, capacityBytes - usedBytes());
    }

    @Override
    public WritableFile create(String name) throws IOException {
        return new BoundedFile(super.create(name));
    }

    private final class BoundedFile extends ForwardingFile {

        BoundedFile(WritableFile file) {
            super(file);
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            refuseBeyond(bytes.remaining());
            super.write(bytes);
        }

        @Override
        public void preallocate(long bytes) throws IOException {
            refuseBeyond(bytes);
            super.preallocate(bytes);
        }

        private void refuseBeyond(long bytes) throws StorageFullException {
            if (bytes > usableBytes()) {
                throw new StorageFullException("no space left for " + bytes + " bytes", new IOException("full"));
            }
        }
    }
}
