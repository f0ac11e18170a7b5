package kvant.lsm.version;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;
import kvant.lsm.value.ValueFiles;

/// The files that are no longer part of the store and await deletion. Any thread may call it.
public final class ObsoleteFiles {

    private static final Logger LOGGER = System.getLogger(ObsoleteFiles.class.getName());

    // Constant.
    private final Storage storage;
    private final ValueFiles open;

    // Concurrent.
    private final ConcurrentLinkedQueue<LiveFile> files = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Long> logs = new ConcurrentLinkedQueue<>();
    private final AtomicLong heldBytes = new AtomicLong();
    private volatile boolean ended;
    private volatile RetainedLogs retained;

    /// @param open where a value file is looked up until it is closed
    ObsoleteFiles(Storage storage, ValueFiles open) {
        this.storage = storage;
        this.open = open;
        this.retained = new RetainedLogs(storage, 0, 0);
    }

    /// Keeps the newest logs from now on, for clients that follow changes.
    ///
    /// @param maxBytes bound on their bytes; 0 for none
    /// @param heldBytes bound on the bytes of logs that an archive does not have yet
    /// @param logs that were kept before
    public void retainLogs(long maxBytes, long heldBytes, List<Long> logs) {
        retained = new RetainedLogs(storage, maxBytes, heldBytes);
        addLogs(logs);
        deleteLogs();
    }

    /// The bytes that these logs would count if they were kept.
    public long bytesOfLogs(Collection<Long> logs) {
        return logs.stream()
                .mapToLong(log -> RetainedLogs.bytesOf(storage, log))
                .sum();
    }

    /// An archive has all up to this sequence number: logs that are kept for it alone go that far.
    public void copied(long sequence) {
        retained.copied(sequence);
        deleteLogs();
    }

    /// The bytes of kept logs.
    public long retainedLogBytes() {
        return retained.bytes();
    }

    /// Deletes the logs that are kept, because the room is needed.
    ///
    /// @return whether there were any
    public boolean releaseLogs() {
        boolean any = false;
        for (Long log = retained.takeOldest(); log != null; log = retained.takeOldest()) {
            delete(FileNames.log(log));
            any = true;
        }
        return any;
    }

    /// A file of a version that is held is no longer part of the store.
    void retire(LiveFile file) {
        file.retire();
        heldBytes.addAndGet(file.bytes());
    }

    /// Bytes of the files that are no longer part of the store and that versions still hold.
    public long heldBytes() {
        return heldBytes.get();
    }

    /// Takes a file that no version holds any more. Where a scan has outlived the store, the file stays for
    /// the next start to delete: by now it may be that start's own.
    void take(LiveFile file) {
        if (file.isRetired()) {
            heldBytes.addAndGet(-file.bytes());
        }
        files.add(file);
        if (ended) {
            closeAll();
        }
    }

    void addLogs(List<Long> numbers) {
        logs.addAll(numbers);
    }

    public int count() {
        return files.size() + logs.size();
    }

    /// Closes and deletes these files. Called off the request path, because closing a mapping makes every thread stop
    /// for a moment.
    public void delete() {
        for (int left = files.size(); left > 0; left--) {
            LiveFile file = files.poll();
            if (file != null && !file.tryClose()) {
                files.add(file); // being read at this moment
            } else if (file != null) {
                if (file instanceof LiveValues) {
                    open.remove(file.number());
                }
                delete(file.fileName());
            }
        }
        deleteLogs();
    }

    /// Deletes the logs that are not kept: the part of it that no reader has to be waited for.
    public void deleteLogs() {
        for (Long log = logs.poll(); log != null; log = logs.poll()) {
            if (!retained.add(log)) {
                delete(FileNames.log(log));
            }
        }
        for (Long log = retained.takeSurplus(); log != null; log = retained.takeSurplus()) {
            delete(FileNames.log(log));
        }
    }

    /// Deletes files that were made for an edit and have not become part of the store.
    public void discard(WrittenRun written) {
        written.tables().forEach(table -> delete(FileNames.table(table.number())));
        written.values().forEach(file -> delete(FileNames.values(file.number())));
    }

    /// Ends the deletion, because the store is being closed: further files are closed, and left to the next start.
    void end() {
        delete();
        ended = true;
        closeAll(); // files added between the two
    }

    private void closeAll() {
        for (LiveFile file = files.poll(); file != null; file = files.poll()) {
            file.close();
        }
    }

    /// A file that cannot be deleted costs space, not safety: the next start tries again.
    private void delete(String name) {
        try {
            storage.delete(name);
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, "cannot delete {0}: {1}", storage.describe(name), e.getMessage());
        }
    }
}
