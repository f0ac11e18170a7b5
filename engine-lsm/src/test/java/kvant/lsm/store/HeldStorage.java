package kvant.lsm.store;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.ForwardingFile;
import kvant.lsm.storage.ForwardingStorage;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.storage.WritableFile;

/// A storage in which a table cannot be opened, or the manifest not be synced, until it is released. Counts those who
/// write the manifest at a time.
final class HeldStorage extends ForwardingStorage {

    private final AtomicInteger manifestWriters = new AtomicInteger();
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile boolean holdsTables;
    private volatile boolean holdsManifest;

    HeldStorage() {
        super(new HeapStorage());
    }

    void holdTables() {
        holdsTables = true;
    }

    void holdManifest() {
        holdsManifest = true;
    }

    /// Waits until a call is held.
    void awaitHeld() throws InterruptedException {
        held.await();
    }

    void release() {
        released.countDown();
    }

    int manifestWriters() {
        return manifestWriters.get();
    }

    private void hold() {
        held.countDown();
        boolean interrupted = false;
        while (released.getCount() > 0) {
            try {
                released.await();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public MemorySegment map(String name, Arena arena) throws IOException {
        if (holdsTables && FileNames.tableNumber(name) != null) {
            hold();
        }
        return super.map(name, arena);
    }

    @Override
    public WritableFile create(String name) throws IOException {
        WritableFile file = super.create(name);
        return name.equals(FileNames.MANIFEST_NEW) ? new HeldManifest(file) : file;
    }

    private final class HeldManifest extends ForwardingFile {

        HeldManifest(WritableFile file) {
            super(file);
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            manifestWriters.incrementAndGet();
            try {
                super.write(bytes);
            } finally {
                manifestWriters.decrementAndGet();
            }
        }

        @Override
        public void sync() throws IOException {
            manifestWriters.incrementAndGet();
            try {
                if (holdsManifest) {
                    hold();
                }
                super.sync();
            } finally {
                manifestWriters.decrementAndGet();
            }
        }
    }
}
