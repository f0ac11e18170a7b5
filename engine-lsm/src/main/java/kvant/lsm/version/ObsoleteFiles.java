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
final class ObsoleteFiles implements Version.Obsolete {

    private static final Logger LOGGER = System.getLogger(ObsoleteFiles.class.getName());

    // Constant.
    private final Storage storage;
    private final ValueFiles open;

    // Concurrent.
    private final ConcurrentLinkedQueue<LiveTable> tables = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<LiveValues> values = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Long> logs = new ConcurrentLinkedQueue<>();
    private final AtomicLong heldBytes = new AtomicLong();
    private volatile boolean ended;
    private volatile RetainedLogs retained;

    /// @param open where a value file is looked up until it is closed
    ObsoleteFiles(Storage storage, ValueFiles open) {
        this.storage = storage;
        this.open = open;
        this.retained = new RetainedLogs(storage, 0);
    }

    /// From now on keeps the newest logs, up to so many bytes.
    ///
    /// @param logs that were kept before
    void retainLogs(long maxBytes, List<Long> logs) {
        retained = new RetainedLogs(storage, maxBytes);
        addLogs(logs);
        deleteLogs();
    }

    /// How much these would count as if they were kept.
    long bytesOfLogs(Collection<Long> logs) {
        return logs.stream()
                .mapToLong(log -> RetainedLogs.bytesOf(storage, log))
                .sum();
    }

    /// What is kept of logs.
    long retainedLogBytes() {
        return retained.bytes();
    }

    /// Deletes the logs that are kept.
    ///
    /// @return whether there were any
    boolean releaseLogs() {
        boolean any = false;
        for (Long log = retained.takeOldest(); log != null; log = retained.takeOldest()) {
            delete(FileNames.log(log));
            any = true;
        }
        return any;
    }

    /// A table of a version that is held is no longer part of the store.
    void retire(LiveTable table) {
        table.holders().retire();
        heldBytes.addAndGet(table.info().bytes());
    }

    /// As [#retire(LiveTable)].
    void retire(LiveValues file) {
        file.holders().retire();
        heldBytes.addAndGet(file.info().bytes());
    }

    /// Bytes of the files that are no longer part of the store and that versions still hold.
    long heldBytes() {
        return heldBytes.get();
    }

    /// Takes a table that no version holds any more. Where a scan has outlived the store, the file stays for
    /// the next start to delete: by now it may be that start's own.
    @Override
    public void table(LiveTable table) {
        if (table.holders().isRetired()) {
            heldBytes.addAndGet(-table.info().bytes());
        }
        tables.add(table);
        closeIfEnded();
    }

    /// As [#table].
    @Override
    public void values(LiveValues file) {
        if (file.holders().isRetired()) {
            heldBytes.addAndGet(-file.info().bytes());
        }
        values.add(file);
        closeIfEnded();
    }

    void addLogs(List<Long> numbers) {
        logs.addAll(numbers);
    }

    int count() {
        return tables.size() + values.size() + logs.size();
    }

    void delete() {
        for (LiveTable table = tables.poll(); table != null; table = tables.poll()) {
            if (!table.table().tryClose()) {
                tables.add(table); // being read at this moment
                break;
            }
            delete(FileNames.table(table.info().number()));
        }
        for (LiveValues file = values.poll(); file != null; file = values.poll()) {
            if (!file.file().tryClose()) {
                values.add(file);
                break;
            }
            open.remove(file.info().number());
            delete(FileNames.values(file.info().number()));
        }
        deleteLogs();
    }

    /// Deletes the logs that are not kept.
    void deleteLogs() {
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
    void discard(WrittenRun written) {
        written.tables().forEach(table -> delete(FileNames.table(table.number())));
        written.values().forEach(file -> delete(FileNames.values(file.number())));
    }

    /// The store is being closed: what comes from now on is closed, and left to the next start.
    void end() {
        delete();
        ended = true;
        closeAll(); // what came between the two
    }

    private void closeIfEnded() {
        if (ended) {
            closeAll();
        }
    }

    private void closeAll() {
        for (LiveTable table = tables.poll(); table != null; table = tables.poll()) {
            table.table().close();
        }
        for (LiveValues file = values.poll(); file != null; file = values.poll()) {
            file.file().close();
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
