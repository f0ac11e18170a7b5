package kvant.lsm.store;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import kvant.lsm.memtable.Memtable;
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
/// All is guarded by the lock of [Changes], which the callers hold: [MemtableSwitch], [TableInstaller], [StoreFiles].
final class StoreState {

    // Constant.
    private final Storage storage;
    private final StoreOptions options;
    private final VersionSet versions;
    private final Changes changes;
    private final SuperVersions.Publisher publisher;

    // Guarded by the lock.
    private final Deque<SealedMemtable> sealed = new ArrayDeque<>(); // oldest first

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

    @Nullable
    SealedMemtable oldestSealed() {
        return sealed.peekFirst();
    }

    /// Makes an edit durable and shows what results.
    void apply(VersionEdit edit) throws IOException {
        versions.apply(edit);
        publish(readers().current().active());
    }

    /// Replaces the oldest sealed memtable by what it became.
    void applyFlush(VersionEdit edit) throws IOException {
        versions.apply(edit);
        sealed.removeFirst();
        publish(readers().current().active());
    }

    /// Puts a new memtable in the place of the active one.
    void seal(Memtable next, List<Long> logs) {
        sealed.addLast(new SealedMemtable(readers().current().active(), List.copyOf(logs)));
        publish(next);
    }

    private void publish(Memtable active) {
        List<Memtable> newestFirst = new ArrayList<>();
        sealed.descendingIterator().forEachRemaining(each -> newestFirst.add(each.memtable()));
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
