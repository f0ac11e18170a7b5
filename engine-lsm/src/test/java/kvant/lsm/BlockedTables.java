package kvant.lsm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.WritableFile;

/// A storage in which no table can be begun until it is released: a disk that has become infinitely slow.
public final class BlockedTables implements Storage {

    private final Storage storage;
    private volatile CountDownLatch released = new CountDownLatch(1);

    public BlockedTables(Storage storage) {
        this.storage = storage;
    }

    public void block() {
        released = new CountDownLatch(1);
    }

    public void release() {
        released.countDown();
    }

    @Override
    public WritableFile create(String name) throws IOException {
        if (FileNames.tableNumber(name) != null) {
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
        return storage.create(name);
    }

    @Override
    public List<String> list() throws IOException {
        return storage.list();
    }

    @Override
    public MemorySegment map(String name, Arena arena) throws IOException {
        return storage.map(name, arena);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        storage.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        storage.delete(name);
    }

    @Override
    public void syncDirectory() throws IOException {
        storage.syncDirectory();
    }

    @Override
    public long usableBytes() throws IOException {
        return storage.usableBytes();
    }

    @Override
    public String describe(String name) {
        return storage.describe(name);
    }
}
