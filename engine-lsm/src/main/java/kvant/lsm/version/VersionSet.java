package kvant.lsm.version;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.StorageFullException;
import kvant.lsm.table.TableContext;
import kvant.lsm.value.ValueFiles;
import kvant.lsm.value.ValueReference;

/// The current version, the manifest that makes its changes durable, and the files that await deletion.
///
/// Changes come from the commit thread (logs), the flush thread and the compaction thread, one at a time:
/// all methods but those that delete or open aside are called under the store's lock.
public final class VersionSet implements AutoCloseable {

    // Constant.
    private final Storage storage;
    private final Manifest manifest;
    private final TableContext context;
    private final ValueFiles values = new ValueFiles();
    private final ObsoleteFiles obsolete;

    // Guarded by the store's lock.
    private Version current;

    private VersionSet(Storage storage, Manifest manifest, TableContext context, LiveFiles files) {
        this.storage = storage;
        this.manifest = manifest;
        this.context = context;
        this.obsolete = new ObsoleteFiles(storage, values);
        files.values().forEach(file -> values.add(file.info().number(), file.file()));
        this.current = new Version(files.tables(), files.values(), obsolete);
    }

    /// Opens every table and value file of a state and begins a new manifest with it.
    ///
    /// @param manifestBytes a manifest is begun anew when it has grown by this much and has doubled
    /// @param context what its tables share
    /// @throws kvant.engine.EngineException.Corruption when a file is missing, has another size, or is
    ///     damaged in what an open reads
    public static VersionSet open(
            Storage storage, RandomGenerator random, long manifestBytes, ManifestState state, TableContext context)
            throws IOException {
        LiveFiles files = LiveFiles.open(storage, state.tables(), state.valueFiles(), context);
        boolean opened = false;
        try {
            VersionSet versions =
                    new VersionSet(storage, Manifest.start(storage, random, manifestBytes, state), context, files);
            opened = true;
            return versions;
        } finally {
            if (!opened) {
                files.close();
            }
        }
    }

    /// What its tables share.
    public TableContext context() {
        return context;
    }

    /// The open value files.
    public ValueFiles values() {
        return values;
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

    /// Makes an edit durable and the version that results from it current. The old version loses the
    /// reference of this set; the files that nothing refers to any more wait for [#deleteObsolete]. Value
    /// files that no table refers to any more leave with this edit.
    ///
    /// @throws StorageFullException nothing has happened, and the added files are deleted again
    /// @throws IOException the added files stay, because a restart may find that they are part of the store
    public Version apply(VersionEdit edit) throws IOException {
        Map<Long, LiveTable> tables = new TreeMap<>();
        current.tables().forEach(table -> tables.put(table.info().number(), table));
        List<TableInfo> moved = new ArrayList<>();
        List<TableInfo> fresh = new ArrayList<>();
        edit.addedTables().forEach(table -> (tables.containsKey(table.number()) ? moved : fresh).add(table));
        WrittenRun written = new WrittenRun(fresh, edit.values().added());
        LiveFiles added = openAdded(written);
        boolean applied = false;
        try {
            VersionEdit complete = withUnreferenced(edit);
            manifest.append(complete);
            applied = true;
        } catch (StorageFullException e) {
            obsolete.discard(written);
            throw e;
        } finally {
            if (!applied) {
                added.close();
            }
        }
        moved.forEach(table -> added.tables().add(moved(tables, table)));
        edit.removedTables().forEach(tables::remove);
        added.tables().forEach(table -> tables.put(table.info().number(), table));
        install(tables, added.values());
        obsolete.addLogs(edit.removedLogs());
        return current;
    }

    /// The edit, with the value files that no table refers to once it is applied.
    private VersionEdit withUnreferenced(VersionEdit edit) {
        if (edit.removedTables().isEmpty()) {
            return edit;
        }
        Set<Long> unreferenced = new HashSet<>();
        manifest.state().valueFiles().forEach(file -> unreferenced.add(file.number()));
        Set<Long> removed = new HashSet<>(edit.removedTables());
        for (LiveTable table : current.tables()) {
            if (!removed.contains(table.info().number())) {
                removeReferences(table.info(), unreferenced);
            }
        }
        edit.addedTables().forEach(table -> removeReferences(table, unreferenced));
        return edit.withValues(new VersionEdit.Values(
                edit.values().added(), unreferenced.stream().sorted().toList()));
    }

    private static void removeReferences(TableInfo table, Set<Long> unreferenced) {
        for (ValueReference reference : table.values()) {
            unreferenced.remove(reference.file());
        }
    }

    private void install(Map<Long, LiveTable> tables, List<LiveValues> addedValues) {
        addedValues.forEach(file -> values.add(file.info().number(), file.file()));
        List<LiveValues> live = new ArrayList<>(current.valueFiles());
        live.addAll(addedValues);
        live.removeIf(file -> !manifest.state().hasValueFile(file.info().number()));
        Version previous = current;
        current = new Version(tables.values(), live, obsolete);
        previous.release();
    }

    /// A version of tables that are not part of the store: no manifest names them, and they are deleted when it is
    /// released. Any thread may call this.
    public Version openAside(List<TableInfo> tables) throws IOException {
        LiveFiles aside = openAdded(new WrittenRun(tables));
        return new Version(aside.tables(), aside.values(), obsolete);
    }

    private static LiveTable moved(Map<Long, LiveTable> tables, TableInfo info) {
        return Objects.requireNonNull(tables.get(info.number())).moved(info);
    }

    private LiveFiles openAdded(WrittenRun fresh) throws IOException {
        boolean opened = false;
        try {
            LiveFiles added = LiveFiles.open(storage, fresh.tables(), fresh.values(), context);
            opened = true;
            return added;
        } finally {
            if (!opened) {
                obsolete.discard(fresh); // they are not in the manifest, and new ones will be made
            }
        }
    }

    /// Closes and deletes the files that are no longer part of the store. Called off the request path,
    /// because closing a mapping makes every thread stop for a moment.
    public void deleteObsolete() {
        obsolete.delete();
    }

    /// The part of it that no reader has to be waited for.
    public void deleteObsoleteLogs() {
        obsolete.deleteLogs();
    }

    /// How many files await deletion.
    public int obsoleteFiles() {
        return obsolete.count();
    }

    /// Closes all files; nothing reads any more. Files that only a scan still holds are closed with that
    /// scan.
    @Override
    public void close() throws IOException {
        try (manifest) {
            obsolete.end();
            current.tables().forEach(table -> table.table().close());
            current.valueFiles().forEach(file -> file.file().close());
        }
    }
}
