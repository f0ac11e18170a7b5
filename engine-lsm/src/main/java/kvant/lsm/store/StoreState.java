package kvant.lsm.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.read.Scans;
import kvant.lsm.read.SuperVersion;
import kvant.lsm.read.SuperVersions;
import kvant.lsm.storage.Storage;
import kvant.lsm.version.Version;
import kvant.lsm.version.VersionEdit;
import kvant.lsm.version.VersionSet;
import org.jspecify.annotations.Nullable;

/// What changes: the memtables, and the version of the tables. Each change ends with a new super version for readers
/// and a new backlog for the commit thread.
///
/// What is in memory changes under the lock of [Changes], which is never held while a disk is waited for: an edit is
/// prepared and written before, in an order of its own.
final class StoreState {

    // Constant.
    private final Storage storage;
    private final StoreOptions options;
    private final VersionSet versions;
    private final Changes changes;
    private final SuperVersions.Publisher publisher;
    private final Scans scans;
    private final DurablePoint durable;

    /// Held while an edit is written and installed, so that both happen in one order. Never asked for under the lock.
    private final ReentrantLock edits = new ReentrantLock();

    // Guarded by the lock.
    private final List<SealedMemtable> sealed = new ArrayList<>(); // oldest first

    StoreState(
            Storage storage,
            StoreOptions options,
            VersionSet versions,
            Changes changes,
            Memtable active,
            long lastSequence) {
        this.storage = storage;
        this.options = options;
        this.versions = versions;
        this.changes = changes;
        this.publisher = new SuperVersions.Publisher(
                new SuperVersion(active, List.of(), versions.current()),
                lastSequence,
                options.clock(),
                versions.values(),
                storage.describe(""),
                changes::signalIfFree);
        this.scans = new Scans(publisher.readers(), options.scans());
        this.durable = new DurablePoint(lastSequence);
        publishBacklog(versions.current());
    }

    Storage storage() {
        return storage;
    }

    StoreOptions options() {
        return options;
    }

    VersionSet versions() {
        return versions;
    }

    Changes changes() {
        return changes;
    }

    SuperVersions readers() {
        return publisher.readers();
    }

    SuperVersions.Publisher publisher() {
        return publisher;
    }

    DurablePoint durable() {
        return durable;
    }

    Scans scans() {
        return scans;
    }

    /// Has scans give way, the oldest first, where the files that only they keep take more of the disk than is free
    /// beside the headroom. So there is room before a write is refused for want of it.
    void boundScans() {
        long mostBytes = versions.heldObsoleteBytes();
        if (mostBytes > 0) {
            try {
                long roomBytes = Math.max(0, storage.usableBytes() - options.headroomBytes());
                if (mostBytes > roomBytes) { // else what scans pin need not be summed up
                    scans.boundFiles(roomBytes);
                }
            } catch (IOException _) {
                // Not knowing is no reason.
            }
        }
    }

    /// Has scans give way until they keep so much less, if they keep as much.
    ///
    /// @return whether they did
    boolean releaseOfScans(long bytes) {
        boolean mayBe = versions.heldObsoleteBytes() >= bytes; // scans need not be asked where it cannot be
        long keptBytes = mayBe ? scans.pinnedFileBytes() : 0;
        return keptBytes >= bytes && scans.boundFiles(keptBytes - bytes);
    }

    /// Under the lock.
    @Nullable
    SealedMemtable oldestSealed() {
        return sealed.isEmpty() ? null : sealed.getFirst();
    }

    /// Makes an edit durable and shows what results. Not to be called under the lock.
    void apply(VersionEdit edit) throws IOException {
        apply(edit, false).release();
    }

    /// As above, of an edit by which the oldest sealed memtable became tables.
    ///
    /// @return the version that results, which the caller releases
    Version applyFlush(VersionEdit edit) throws IOException {
        return apply(edit, true);
    }

    private Version apply(VersionEdit edit, boolean isFlush) throws IOException {
        VersionSet.Prepared prepared = versions.prepare(edit);
        edits.lock();
        try {
            versions.write(prepared);
            boolean installed = false;
            try {
                Version version = install(prepared, isFlush);
                installed = true;
                return version;
            } finally {
                if (!installed) { // an error, of memory
                    versions.fail();
                }
            }
        } finally {
            edits.unlock();
        }
    }

    private Version install(VersionSet.Prepared prepared, boolean isFlush) {
        changes.lock();
        try {
            Version installed = versions.install(prepared);
            if (isFlush) {
                sealed.removeFirst();
            }
            publish(readers().current().active());
            changes.signalHeld();
            installed.acquire();
            return installed;
        } finally {
            changes.unlock();
        }
    }

    /// Puts a new memtable in the place of the active one; under the lock.
    void seal(Memtable next, List<Long> logs, boolean isAwaited) {
        SealedMemtable last = new SealedMemtable(readers().current().active(), List.copyOf(logs), isAwaited);
        try {
            sealed.add(last);
            publish(next);
        } finally {
            if (readers().current().active() != next) { // an error, of memory: it is still the active one
                sealed.remove(last);
            }
        }
    }

    private void publish(Memtable active) {
        List<Memtable> newestFirst = new ArrayList<>();
        sealed.reversed().forEach(each -> newestFirst.add(each.memtable()));
        Version version = versions.current();
        publisher.install(active, newestFirst, version);
        publishBacklog(version);
    }

    private void publishBacklog(Version version) {
        long debtBytes = options.debtBytes().applyAsLong(version.shape());
        changes.backlog()
                .publish(Backlog.of(
                        sealed, version, debtBytes, versions.state().logs().size()));
    }

    void close() throws IOException {
        publisher.close(); // first: readers whose table is gone look here
        changes.lock();
        try {
            versions.close();
        } finally {
            changes.unlock();
        }
    }
}
