package kvant.lsm.version;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.random.RandomGenerator;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.StorageFullException;
import kvant.lsm.table.Table;
import kvant.lsm.table.TableContext;

/// The current version, the manifest that makes its changes durable, and the files that await deletion.
///
/// Changes come from the commit thread (logs), the flush thread and the compaction threads. Each goes in three steps:
///
///     prepare    open the tables that it adds                     any number at a time
///     write      append it to the manifest, and sync that         one at a time
///     install    make the version that results the current one    under the store's lock, in the order of writing
public final class VersionSet implements AutoCloseable {

    private static final Logger LOGGER = System.getLogger(VersionSet.class.getName());

    // Constant.
    private final Storage storage;
    private final Manifest manifest;
    private final TableContext context;

    // Written under the store's lock.
    private volatile Version current;

    // Concurrent.
    private final ConcurrentLinkedQueue<LiveTable> obsoleteTables = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Long> obsoleteLogs = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    private VersionSet(Storage storage, Manifest manifest, TableContext context, List<LiveTable> tables) {
        this.storage = storage;
        this.manifest = manifest;
        this.context = context;
        this.current = new Version(tables, this::retire);
    }

    /// Opens every table of a state and begins a new manifest with it.
    ///
    /// @param manifestBytes a manifest is begun anew when it has grown by this much and has doubled
    /// @param context what its tables share; closed with the set
    /// @throws kvant.engine.EngineException.Corruption when a table is missing, has another size, or is
    ///     damaged in what an open reads
    public static VersionSet open(
            Storage storage, RandomGenerator random, long manifestBytes, ManifestState state, TableContext context)
            throws IOException {
        List<LiveTable> tables = List.of();
        boolean opened = false;
        try {
            tables = openAll(storage, state.tables(), context);
            VersionSet versions =
                    new VersionSet(storage, Manifest.start(storage, random, manifestBytes, state), context, tables);
            opened = true;
            return versions;
        } finally {
            if (!opened) {
                tables.forEach(table -> table.table().close());
                context.close();
            }
        }
    }

    static List<LiveTable> openAll(Storage storage, List<TableInfo> infos, TableContext context) throws IOException {
        List<LiveTable> tables = new ArrayList<>();
        boolean opened = false;
        try {
            for (TableInfo info : infos) {
                tables.add(new LiveTable(
                        info, Table.open(storage, FileNames.table(info.number()), info.id(), info.bytes(), context)));
            }
            opened = true;
            return tables;
        } finally {
            if (!opened) { // an error too, of memory that mapping them needs
                tables.forEach(table -> table.table().close());
            }
        }
    }

    /// What its tables share.
    public TableContext context() {
        return context;
    }

    public Version current() {
        return current;
    }

    public ManifestState state() {
        return manifest.state();
    }

    public long nextFileNumber() {
        return manifest.nextFileNumber();
    }

    /// @throws IOException when no edit can be applied any more, so that making files for one would be in vain
    public void refuseFailed() throws IOException {
        manifest.refuseFailed();
    }

    /// An edit, and the tables that it adds, which are open.
    public static final class Prepared {

        private final VersionEdit edit;
        private final List<TableInfo> fresh;
        private final List<LiveTable> opened;

        private Prepared(VersionEdit edit, List<TableInfo> fresh, List<LiveTable> opened) {
            this.edit = edit;
            this.fresh = fresh;
            this.opened = opened;
        }
    }

    /// The three steps at once, for one thread that has the store to itself.
    ///
    /// @throws StorageFullException as [#write]
    /// @throws IOException as [#write]
    public Version apply(VersionEdit edit) throws IOException {
        Prepared prepared = prepare(edit);
        write(prepared);
        return install(prepared);
    }

    /// Opens the tables that an edit adds. Those that it also removes only change their run.
    ///
    /// @throws IOException they are deleted again
    public Prepared prepare(VersionEdit edit) throws IOException {
        List<TableInfo> fresh = edit.addedTables().stream()
                .filter(table -> !edit.removedTables().contains(table.number()))
                .toList();
        return new Prepared(edit, fresh, openAdded(fresh));
    }

    /// Makes an edit durable.
    ///
    /// @throws StorageFullException nothing has happened, and the added tables are deleted again
    /// @throws IOException the added tables stay, because a restart may find that they are part of the store
    public void write(Prepared prepared) throws IOException {
        boolean written = false;
        try {
            manifest.append(prepared.edit);
            written = true;
        } catch (StorageFullException e) {
            deleteAdded(prepared.fresh);
            throw e;
        } finally {
            if (!written) {
                prepared.opened.forEach(table -> table.table().close());
            }
        }
    }

    /// Makes the version current that results from an edit which is durable. The old version loses the reference of
    /// this set; the files that nothing refers to any more wait for [#deleteObsolete].
    public Version install(Prepared prepared) {
        VersionEdit edit = prepared.edit;
        Map<Long, LiveTable> tables = new TreeMap<>();
        current.tables().forEach(table -> tables.put(table.info().number(), table));
        List<LiveTable> added = new ArrayList<>(prepared.opened);
        edit.addedTables().stream()
                .filter(table -> edit.removedTables().contains(table.number()))
                .forEach(table -> added.add(moved(tables, table)));
        edit.removedTables().forEach(tables::remove);
        added.forEach(table -> tables.put(table.info().number(), table));
        Version previous = current;
        current = new Version(tables.values(), this::retire);
        previous.release();
        obsoleteLogs.addAll(edit.removedLogs());
        return current;
    }

    /// A version of tables that are not part of the store: no manifest names them, and they are deleted when
    /// it is released. Any thread may call this.
    public Version openAside(List<TableInfo> tables) throws IOException {
        return new Version(openAdded(tables), this::retire);
    }

    private static LiveTable moved(Map<Long, LiveTable> tables, TableInfo info) {
        return Objects.requireNonNull(tables.get(info.number())).moved(info);
    }

    private List<LiveTable> openAdded(List<TableInfo> fresh) throws IOException {
        boolean opened = false;
        try {
            List<LiveTable> added = openAll(storage, fresh, context);
            opened = true;
            return added;
        } finally {
            if (!opened) {
                deleteAdded(fresh); // they are not in the manifest, and new ones will be made
            }
        }
    }

    private void deleteAdded(List<TableInfo> fresh) {
        fresh.forEach(table -> delete(FileNames.table(table.number())));
    }

    /// Closes and deletes the files that are no longer part of the store. Called off the request path,
    /// because closing a mapping makes every thread stop for a moment.
    public void deleteObsolete() {
        for (LiveTable table = obsoleteTables.poll(); table != null; table = obsoleteTables.poll()) {
            if (!table.table().tryClose()) {
                obsoleteTables.add(table); // being read at this moment
                break;
            }
            delete(FileNames.table(table.info().number()));
        }
        deleteObsoleteLogs();
    }

    /// The part of it that no reader has to be waited for.
    public void deleteObsoleteLogs() {
        for (Long log = obsoleteLogs.poll(); log != null; log = obsoleteLogs.poll()) {
            delete(FileNames.log(log));
        }
    }

    /// Takes a table that no version holds any more. Where a scan has outlived this set, the file stays for
    /// the next start to delete: by now it may be that start's own.
    private void retire(LiveTable table) {
        obsoleteTables.add(table);
        if (closed) {
            closeObsolete();
        }
    }

    private void closeObsolete() {
        for (LiveTable table = obsoleteTables.poll(); table != null; table = obsoleteTables.poll()) {
            table.table().close();
        }
    }

    /// How many files await deletion.
    public int obsoleteFiles() {
        return obsoleteTables.size() + obsoleteLogs.size();
    }

    /// Closes all files; nothing reads any more. Tables that only a scan still holds are closed with that scan.
    @Override
    public void close() throws IOException {
        try (manifest;
                context) {
            deleteObsolete();
            closed = true;
            closeObsolete(); // what came between the two
            current.tables().forEach(table -> table.table().close());
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
