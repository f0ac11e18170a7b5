package kvant.lsm.version;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import kvant.engine.EngineException;
import kvant.lsm.bytes.Keys;
import kvant.lsm.bytes.Opened;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.StorageFullException;
import kvant.lsm.table.TableContext;
import kvant.lsm.table.TableInfo;
import kvant.lsm.table.TableProperties;
import kvant.lsm.value.ValueFile;
import kvant.lsm.value.ValueFiles;
import kvant.lsm.value.ValueReference;

/// The current version, the manifest that makes its changes durable, and the files that await deletion.
///
/// Changes come from the commit thread (logs), the flush thread and the compaction threads. Each goes in three steps:
///
///     prepare    open the files that it adds                      any number at a time
///     write      append it to the manifest, and sync that         one at a time
///     install    make the version that results the current one    under the store's lock, in the order of writing
public final class VersionSet implements AutoCloseable {

    /// Bytes that a log without a record counts among kept logs.
    public static final long LEAST_LOG_BYTES = RetainedLogs.LEAST_BYTES;

    // Constant.
    private final Storage storage;
    private final Manifest manifest;
    private final TableContext context;
    private final ValueFiles values = new ValueFiles();
    private final ObsoleteFiles obsolete;

    // Written under the store's lock.
    private volatile Version current;

    private VersionSet(
            Storage storage,
            RandomGenerator random,
            long manifestBytes,
            ManifestState state,
            TableContext context,
            LiveFiles files)
            throws IOException {
        this.storage = storage;
        this.context = context;
        this.obsolete = new ObsoleteFiles(storage, values);
        Map<Long, ValueFile> open = new TreeMap<>();
        files.values().forEach(file -> open.put(file.number(), file.file()));
        values.addAll(open);
        this.current = new Version(files.tables(), files.values(), obsolete::take);
        // Last: no error behind it can leave it open.
        this.manifest = new Manifest(storage, random, manifestBytes, state);
    }

    /// Opens every table and value file of a state and begins a new manifest with it.
    ///
    /// @param manifestBytes a manifest is rewritten when it has grown by this much and has doubled
    /// @param context shared state of its tables; closed with the set
    /// @throws kvant.engine.EngineException.Corruption when a file is missing, has another size, or is damaged in a
    ///     part that an open reads
    public static VersionSet open(
            Storage storage, RandomGenerator random, long manifestBytes, ManifestState state, TableContext context)
            throws IOException {
        try (Opened opened = new Opened()) {
            opened.add(context);
            LiveFiles files = opened.add(LiveFiles.open(storage, state.tables(), state.valueFiles(), context));
            return opened.all(new VersionSet(storage, random, manifestBytes, state, context, files));
        }
    }

    /// The shared state of its tables.
    public TableContext context() {
        return context;
    }

    /// The open value files.
    public ValueFiles values() {
        return values;
    }

    /// The files that are no longer part of the store.
    public ObsoleteFiles obsolete() {
        return obsolete;
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

    /// An edit, and the files that it adds, which are open.
    public static final class Prepared {

        private final WrittenRun fresh;
        private final LiveFiles opened;
        private VersionEdit edit; // completed when it is written

        private Prepared(VersionEdit edit, WrittenRun fresh, LiveFiles opened) {
            this.edit = edit;
            this.fresh = fresh;
            this.opened = opened;
        }
    }

    /// Performs the three steps at once, where no other thread changes the store. Runs may be written meanwhile.
    ///
    /// @throws StorageFullException as [#write]
    /// @throws IOException as [#write]
    public Version apply(VersionEdit edit) throws IOException {
        Prepared prepared = prepare(edit);
        write(prepared);
        return install(prepared);
    }

    /// Opens the files that an edit adds. Tables that it also removes only change their run.
    ///
    /// @throws IOException they are deleted again
    public Prepared prepare(VersionEdit edit) throws IOException {
        List<TableInfo> tables = edit.addedTables().stream()
                .filter(table -> !edit.removedTables().contains(table.number()))
                .toList();
        WrittenRun fresh = new WrittenRun(tables, edit.addedValues());
        return new Prepared(edit, fresh, openAdded(fresh));
    }

    /// Makes an edit durable. Value files that no table refers to any more leave with it.
    ///
    /// @throws StorageFullException nothing has happened, and the added files are deleted again
    /// @throws EngineException.Io the same, because tables of a run would overlap
    /// @throws IOException the added files stay, because a restart may find that they are part of the store
    public void write(Prepared prepared) throws IOException {
        boolean written = false;
        try {
            refuseOverlap(prepared.edit, prepared.opened.tables());
            prepared.edit = withUnreferenced(prepared.edit);
            manifest.append(prepared.edit);
            written = true;
        } catch (StorageFullException | EngineException.Io e) {
            obsolete.discard(prepared.fresh);
            throw e;
        } finally {
            if (!written) {
                prepared.opened.close();
            }
        }
    }

    /// A table of a run that the edit changes.
    private record Member(TableInfo info, TableProperties keys, boolean isAdded) {}

    /// The last defence against an edit after which tables of one run overlap: a look-up asks one table of each
    /// run, so that acknowledged writes could not be read any more, and the next merge would drop them for
    /// good. No merge should cause this; if one does, it fails, and the store continues with its present
    /// tables.
    ///
    /// Existing overlaps are ignored: only a merge brings them in order.
    ///
    /// @param opened the tables that it adds, but for those that it moves
    /// @throws EngineException.Io naming two tables
    private void refuseOverlap(VersionEdit edit, List<LiveTable> opened) {
        if (edit.addedTables().isEmpty()) {
            return;
        }
        List<Member> members = membersByKey(edit, opened);
        for (int i = 1; i < members.size(); i++) {
            Member one = members.get(i - 1);
            Member other = members.get(i);
            boolean concernsEdit = one.isAdded() || other.isAdded();
            if (concernsEdit
                    && one.info().run() == other.info().run()
                    && Keys.compare(one.keys().largestKey(), other.keys().smallestKey()) >= 0) {
                throw overlap(one.info(), other.info());
            }
        }
    }

    /// The tables of all runs that get new ones, run by run.
    private List<Member> membersByKey(VersionEdit edit, List<LiveTable> opened) {
        Set<Long> changed = new HashSet<>();
        edit.addedTables().forEach(table -> changed.add(table.run()));
        Set<Long> removed = new HashSet<>(edit.removedTables());
        Map<Long, TableProperties> keys = new HashMap<>();
        List<Member> members = new ArrayList<>();
        for (LiveTable table : current.tables()) {
            if (removed.contains(table.number())) {
                keys.put(table.number(), table.table().properties());
            } else if (changed.contains(table.info().run())) {
                members.add(new Member(table.info(), table.table().properties(), false));
            }
        }
        opened.forEach(table -> keys.put(table.number(), table.table().properties()));
        for (TableInfo table : edit.addedTables()) {
            members.add(new Member(table, Objects.requireNonNull(keys.get(table.number())), true));
        }
        members.sort(Comparator.comparingLong((Member each) -> each.info().run())
                .thenComparing(each -> each.keys().smallestKey(), Keys::compare));
        return members;
    }

    private EngineException overlap(TableInfo one, TableInfo other) {
        return new EngineException.Io(
                "a change of " + storage.describe(FileNames.MANIFEST) + " is refused, because the keys of its tables "
                        + one.number() + " and " + other.number() + " would overlap in run " + one.run()
                        + ": the store stays as it is; please report this",
                null);
    }

    /// The edit, extended by the value files that no table refers to once it is applied to the written state.
    private VersionEdit withUnreferenced(VersionEdit edit) {
        if (edit.removedTables().isEmpty()) {
            return edit;
        }
        Set<Long> unreferenced = new HashSet<>();
        manifest.state().valueFiles().forEach(file -> unreferenced.add(file.number()));
        Set<Long> removed = new HashSet<>(edit.removedTables());
        for (TableInfo table : manifest.state().tables()) {
            if (!removed.contains(table.number())) {
                removeReferences(table, unreferenced);
            }
        }
        edit.addedTables().forEach(table -> removeReferences(table, unreferenced));
        return edit.withRemovedValues(unreferenced.stream().sorted().toList());
    }

    private static void removeReferences(TableInfo table, Set<Long> unreferenced) {
        for (ValueReference reference : table.values()) {
            unreferenced.remove(reference.file());
        }
    }

    /// Makes the version current that results from an edit which is durable. The old version loses the reference of
    /// this set; the files that nothing refers to any more wait for [ObsoleteFiles#delete].
    public Version install(Prepared prepared) {
        VersionEdit edit = prepared.edit;
        Map<Long, LiveTable> tables = new TreeMap<>();
        current.tables().forEach(table -> tables.put(table.number(), table));
        List<LiveTable> added = new ArrayList<>(prepared.opened.tables());
        edit.addedTables().stream()
                .filter(table -> edit.removedTables().contains(table.number()))
                .forEach(table -> added.add(moved(tables, table)));
        edit.removedTables().forEach(tables::remove);
        added.forEach(table -> tables.put(table.number(), table));
        prepared.opened.values().forEach(file -> values.add(file.number(), file.file()));
        List<LiveValues> live = new ArrayList<>(current.valueFiles());
        live.addAll(prepared.opened.values());
        live.removeIf(file -> edit.removedValues().contains(file.number()));
        Version previous = current;
        current = new Version(tables.values(), live, obsolete::take);
        retire(previous, tables, edit);
        previous.release();
        obsolete.addLogs(edit.removedLogs());
        return current;
    }

    /// Allocates nothing: an error of memory here would leave the store between two versions.
    private void retire(Version previous, Map<Long, LiveTable> kept, VersionEdit edit) {
        if (!edit.removedTables().isEmpty()) {
            for (LiveTable table : previous.tables()) {
                if (!kept.containsKey(table.number())) {
                    obsolete.retire(table);
                }
            }
        }
        if (!edit.removedValues().isEmpty()) {
            for (LiveValues file : previous.valueFiles()) {
                if (edit.removedValues().contains(file.number())) {
                    obsolete.retire(file);
                }
            }
        }
    }

    /// Refuses all further edits, because the store could not adopt an edit that is already durable; a restart adopts
    /// it.
    public void fail() {
        manifest.fail();
    }

    /// A version of tables that are not part of the store: no manifest names them, and they are deleted when
    /// it is released. Any thread may call this.
    public Version openAside(List<TableInfo> tables) throws IOException {
        LiveFiles aside = openAdded(new WrittenRun(tables));
        Version version = new Version(aside.tables(), aside.values(), obsolete::take);
        version.tables().forEach(obsolete::retire);
        version.valueFiles().forEach(obsolete::retire);
        return version;
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

    /// Closes all files; nothing reads any more. Files that only a scan still holds are closed with that
    /// scan.
    @Override
    public void close() throws IOException {
        try (manifest;
                context) {
            obsolete.end();
            current.tables().forEach(LiveFile::close);
            current.valueFiles().forEach(LiveFile::close);
        }
    }
}
