package kvant.lsm;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.ForwardingStorage;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.WritableFile;

/// A storage in which no table can be begun until it is released: a disk that has become infinitely slow.
public final class BlockedTables extends ForwardingStorage {

    private volatile CountDownLatch released = new CountDownLatch(1);

    public BlockedTables(Storage storage) {
        super(storage);
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
        return super.create(name);
    }
}
