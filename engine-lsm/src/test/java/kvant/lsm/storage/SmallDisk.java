package kvant.lsm.storage;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;

/// A disk that holds so many bytes and refuses more, in memory.
public final class SmallDisk implements Storage {

    private final HeapStorage files = new HeapStorage();
    private volatile long capacityBytes;

    public SmallDisk(long capacityBytes) {
        this.capacityBytes = capacityBytes;
    }

    /// Another program frees or takes the rest.
    public void setUsableBytes(long bytes) {
        capacityBytes = usedBytes() + bytes;
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
        return new BoundedFile(files.create(name));
    }

    @Override
    public List<String> list() {
        return files.list();
    }

    @Override
    public MemorySegment map(String name, Arena arena) throws IOException {
        return files.map(name, arena);
    }

    @Override
    public long size(String name) throws IOException {
        return files.size(name);
    }

    @Override
    public void rename(String from, String to) {
        files.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        files.delete(name);
    }

    @Override
    public void syncDirectory() {
        files.syncDirectory();
    }

    @Override
    public String describe(String name) {
        return files.describe(name);
    }

    private final class BoundedFile implements WritableFile {

        private final WritableFile file;

        BoundedFile(WritableFile file) {
            this.file = file;
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            refuseBeyond(bytes.remaining());
            file.write(bytes);
        }

        @Override
        public void preallocate(long bytes) throws IOException {
            refuseBeyond(bytes);
            file.preallocate(bytes);
        }

        @Override
        public void sync() throws IOException {
            file.sync();
        }

        @Override
        public void truncate(long size) throws IOException {
            file.truncate(size);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }

        private void refuseBeyond(long bytes) throws StorageFullException {
            if (bytes > usableBytes()) {
                throw new StorageFullException("no space left for " + bytes + " bytes", new IOException("full"));
            }
        }
    }
}
