package kvant.lsm.operate;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import kvant.engine.EngineException;
import kvant.engine.directory.ExaminedDirectory;
import kvant.lsm.bytes.Keys;
import kvant.lsm.storage.Damage;
import kvant.lsm.storage.DiskStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.LogsApart;
import kvant.lsm.storage.Storage;
import kvant.lsm.table.TableCheck;
import kvant.lsm.table.TableInfo;
import kvant.lsm.table.TableProperties;
import kvant.lsm.value.ValueCheck;
import kvant.lsm.value.ValueFileInfo;
import kvant.lsm.version.LogInfo;
import kvant.lsm.version.ManifestCheck;
import kvant.lsm.version.ManifestState;
import kvant.lsm.wal.FileHeader;
import kvant.lsm.wal.GroupDescriptor;
import kvant.lsm.wal.RecordCheck;
import org.jspecify.annotations.Nullable;

/// Checks every byte of a store that no process has open, and that its files agree. Changes nothing, and continues
/// behind damage: each problem is reported as it is found.
///
///     manifest -> each table, with its pointers -> runs -> each value file -> each log -> chain of logs
///              -> files that the manifest does not name
///
/// Memory is bounded by the two outermost keys of each table. Belongs to one thread.
public final class StoreCheck {

    /// Receives findings as they are made.
    public interface Listener extends Damage.Sink {

        /// A remark that is not damage.
        void note(String text);

        /// Progress of the check.
        void progress(long doneBytes, long allBytes);
    }

    /// The result of a check, and the consequences of a start.
    ///
    /// @param replayed mutations in logs that no table has
    /// @param deleted files that a start would delete
    public record Summary(int tables, int valueFiles, int logs, long bytes, long records, long replayed, int deleted) {}

    /// A table and its properties.
    private record Checked(TableInfo info, TableProperties properties) {}

    /// A checked log.
    ///
    /// @param lastSequence the last one in it, 0 for an empty log
    /// @param mutations that no table has
    private record Log(RecordCheck records, long lastSequence, long mutations) {

        /// @return null when not even its header can be read
        static @Nullable Log check(Storage storage, String file, long flushedSequence, Damage.Sink damage)
                throws IOException {
            AtomicLong last = new AtomicLong();
            AtomicLong mutations = new AtomicLong();
            RecordCheck records = RecordCheck.of(storage, file, FileHeader.Kind.LOG, damage, group -> {
                if (group.firstSequence() <= last.get()) {
                    String what = "sequence " + group.firstSequence() + " follows " + last;
                    damage.found(Damage.LOG, storage.describe(file), group.offset(), what);
                }
                last.set(GroupDescriptor.decode(
                        group,
                        group.reader(),
                        (sequence, _, _, _, _, _) -> mutations.addAndGet(sequence > flushedSequence ? 1 : 0)));
            });
            return records == null ? null : new Log(records, last.get(), mutations.get());
        }
    }

    private static final Set<String> OWN_NAMES = Set.of(FileNames.MANIFEST, FileNames.LOGS, FileNames.LOGS_NEW);

    // Constant.
    private final Storage storage;
    private final Listener listener;

    // One thread.
    private final List<Checked> tables = new ArrayList<>();
    private List<String> names = List.of();
    private long allBytes;
    private long doneBytes;
    private long records;
    private long replayed;
    private long lastSequence; // of the logs so far
    private int logs;
    private int tablesSeen;
    private int valueFiles;
    private int deleted;

    private StoreCheck(Storage storage, Listener listener) {
        this.storage = storage;
        this.listener = listener;
    }

    /// @param directory whose engine is the LSM engine
    public static Summary run(ExaminedDirectory directory, Listener listener) {
        Path files = directory.path().resolve(FileNames.DIRECTORY);
        try {
            if (!Files.isDirectory(files)) {
                listener.found(
                        Damage.FILE_MISSING,
                        files.toString(),
                        0,
                        "the directory with the files of the store is missing");
                return new Summary(0, 0, 0, 0, 0, 0, 0);
            }
            return run(withLogs(DiskStorage.open(files), listener), listener);
        } catch (IOException e) {
            throw cannotLook(files, e);
        }
    }

    static EngineException cannotLook(Path files, IOException e) {
        return e instanceof AccessDeniedException denied
                ? new EngineException.CannotOpen(
                        "no permission for " + denied.getFile() + ": run this as the user that owns the directory", e)
                : new EngineException.Io("cannot look at " + files + ": " + e.getMessage(), e);
    }

    /// The files of a store, and its logs wherever they are. Where they are not found, each one is missing.
    private static Storage withLogs(Storage files, Listener listener) throws IOException {
        String pair = files.describe(FileNames.LOGS);
        try {
            return LogsApart.find(files);
        } catch (EngineException.CannotOpen e) {
            listener.found(Damage.FILE_MISSING, pair, 0, String.valueOf(e.getMessage()));
        } catch (EngineException.Corruption e) {
            listener.found(Damage.LOG, pair, e.offset(), e.detail());
        }
        return files;
    }

    /// Checks a store in any storage; for tests.
    static Summary run(Storage storage, Listener listener) throws IOException {
        return new StoreCheck(storage, listener).check();
    }

    private Summary check() throws IOException {
        names = storage.list();
        for (String name : names) {
            allBytes += sizeOf(name);
        }
        ManifestCheck manifest = manifest();
        if (manifest == null || !manifest.isWhole()) {
            listener.note("the manifest cannot be relied on: each file is looked at by itself");
            checkFilesAlone();
        } else {
            checkTables(manifest.state());
            checkRuns();
            checkValueFiles(manifest.state());
            checkLogs(manifest.state());
            checkStrays(manifest.state());
        }
        return new Summary(tablesSeen, valueFiles, logs, doneBytes, records, replayed, deleted);
    }

    private @Nullable ManifestCheck manifest() {
        if (!names.contains(FileNames.MANIFEST)) {
            damaged(Damage.MANIFEST, FileNames.MANIFEST, 0, "the file is missing");
            return null;
        }
        ManifestCheck content = guarded(FileNames.MANIFEST, () -> ManifestCheck.of(storage, listener));
        if (content != null && content.tornBytes() > 0) {
            listener.note(storage.describe(FileNames.MANIFEST) + " ends with " + content.tornBytes()
                    + " bytes that a crash left unfinished; a start cuts them off");
        }
        return content;
    }

    // Tables.

    private void checkTables(ManifestState state) {
        for (TableInfo info : state.tables()) {
            String name = FileNames.table(info.number());
            if (refuseMissing(name)) {
                continue;
            }
            TableProperties properties = checkTable(name, info);
            if (properties != null) {
                tables.add(new Checked(info, properties));
            }
            refuseNumber(info.number(), name, state);
            if (info.lastSequence() > state.flushedSequence()) {
                damaged(
                        Damage.MANIFEST,
                        FileNames.MANIFEST,
                        0,
                        "it says that all up to " + state.flushedSequence() + " is in tables, but " + name
                                + " has sequence " + info.lastSequence());
            }
        }
    }

    private @Nullable TableProperties checkTable(String name, @Nullable TableInfo expected) {
        tablesSeen++;
        TableProperties properties = guarded(name, () -> TableCheck.check(storage, name, expected, listener));
        records += properties == null ? 0 : properties.records();
        return properties;
    }

    /// The tables of a run are looked up by their last keys: they must not overlap.
    private void checkRuns() {
        Map<Long, List<Checked>> runs = new TreeMap<>();
        tables.forEach(table ->
                runs.computeIfAbsent(table.info().run(), _ -> new ArrayList<>()).add(table));
        for (List<Checked> run : runs.values()) {
            run.sort(Comparator.comparing(table -> table.properties().smallestKey(), Keys::compare));
            for (int i = 1; i < run.size(); i++) {
                TableProperties before = run.get(i - 1).properties();
                TableProperties after = run.get(i).properties();
                if (Keys.compare(before.largestKey(), after.smallestKey()) >= 0) {
                    damaged(
                            Damage.ORDER,
                            FileNames.table(run.get(i).info().number()),
                            0,
                            "its keys overlap those of "
                                    + FileNames.table(run.get(i - 1).info().number()) + " in the same run");
                }
            }
        }
    }

    private void checkValueFiles(ManifestState state) {
        for (ValueFileInfo info : state.valueFiles()) {
            String name = FileNames.values(info.number());
            if (!refuseMissing(name)) {
                checkValues(name, info);
                refuseNumber(info.number(), name, state);
            }
        }
    }

    private void checkValues(String name, @Nullable ValueFileInfo expected) {
        valueFiles++;
        guarded(name, () -> {
            ValueCheck.check(storage, name, expected, listener);
            return name;
        });
    }

    // Logs.

    private void checkLogs(ManifestState state) {
        Log previous = null;
        lastSequence = state.flushedSequence();
        for (long number : state.logs()) {
            String name = FileNames.log(number);
            if (refuseMissing(name)) {
                previous = null;
                continue;
            }
            Log log = checkLog(name, state.flushedSequence());
            if (log != null) {
                checkIdentity(state, number, name, log);
                checkChain(previous, name, log);
                lastSequence = Math.max(lastSequence, log.lastSequence());
                checkEnd(state.log(number), name, log);
                replayed += log.mutations();
            }
            refuseNumber(number, name, state);
            previous = log;
        }
    }

    private @Nullable Log checkLog(String name, long flushedSequence) {
        logs++;
        return guarded(name, () -> Log.check(storage, name, flushedSequence, listener));
    }

    private void noteTornEnd(String name, Log log) {
        if (log.records().tornBytes() > 0) {
            listener.note(storage.describe(name) + " ends with " + log.records().tornBytes()
                    + " bytes that a crash left unfinished, or that were damaged in its very last record;"
                    + " a start cuts them off");
        }
    }

    private void checkIdentity(ManifestState state, long number, String name, Log log) {
        if (!state.isLog(number, log.records().header().id())
                || log.records().header().number() != number) {
            damaged(Damage.LOG, name, 0, "it is not the log in the manifest, but a different one of the same name");
        }
    }

    private void checkEnd(@Nullable LogInfo info, String name, Log log) {
        String shortfall = info == null ? null : info.shortfall(log.records().validSize(), lastSequence);
        if (shortfall == null) {
            noteTornEnd(name, log);
        } else {
            damaged(Damage.LOG, name, log.records().validSize(), shortfall);
        }
    }

    private void checkChain(@Nullable Log previous, String name, Log log) {
        if (previous == null) {
            return;
        }
        var named = log.records().header().predecessor();
        String before = FileNames.log(previous.records().header().number());
        if (named.number() != previous.records().header().number()) {
            damaged(Damage.LOG, name, 0, "it follows log " + named.number() + " and not " + before);
        } else if (named.size() > previous.records().validSize()) {
            damaged(
                    Damage.LOG,
                    before,
                    previous.records().validSize(),
                    "it ends here, but " + name + " says that " + named.size() + " bytes of it were synced");
        }
    }

    // Other files.

    private void checkStrays(ManifestState state) {
        for (String name : names) {
            boolean stray = state.isStray(name);
            boolean strayLog = stray && FileNames.logNumber(name) != null;
            if (strayLog && holdsUnknownWrites(name, state)) {
                damaged(Damage.UNKNOWN_WRITES, name, 0, "the manifest does not name it");
            } else if (stray) {
                deleted++;
                listener.note(storage.describe(name) + " is not part of the store; a start deletes it"
                        + (strayLog ? ", unless it keeps logs for changes" : ""));
            } else if (!FileNames.isNumbered(name) && !OWN_NAMES.contains(name)) {
                listener.note(storage.describe(name) + " is not one of Kvant's files; it is left alone");
            }
        }
    }

    /// Other problems of such a file do not matter.
    private boolean holdsUnknownWrites(String name, ManifestState state) {
        Log log = guarded(name, () -> Log.check(storage, name, state.flushedSequence(), (kind, file, at, what) -> {}));
        return log != null && log.mutations() > 0;
    }

    /// Checks the files without a manifest, where it is unknown which of them are part of the store.
    private void checkFilesAlone() {
        for (String name : names) {
            if (FileNames.tableNumber(name) != null) {
                checkTable(name, null);
            } else if (FileNames.valuesNumber(name) != null) {
                checkValues(name, null);
            } else if (FileNames.logNumber(name) != null) {
                Log log = checkLog(name, 0);
                if (log != null) {
                    noteTornEnd(name, log);
                }
            }
        }
    }

    // All.

    private boolean refuseMissing(String name) {
        boolean missing = !names.contains(name);
        if (missing) {
            damaged(Damage.FILE_MISSING, name, 0, "the file is missing");
        }
        return missing;
    }

    private void refuseNumber(long number, String name, ManifestState state) {
        if (number >= state.nextFileNumber()) {
            damaged(
                    Damage.MANIFEST,
                    FileNames.MANIFEST,
                    0,
                    "it says that no file has number " + state.nextFileNumber() + " or above, but names " + name);
        }
    }

    private void damaged(Damage kind, String name, long offset, String what) {
        listener.found(kind, storage.describe(name), offset, what);
    }

    /// Something that may fail to read a file.
    private interface Look<T> {
        @Nullable
        T at() throws IOException;
    }

    private <T> @Nullable T guarded(String name, Look<T> look) {
        try {
            return look.at();
        } catch (IOException e) {
            String reason = e instanceof AccessDeniedException ? "no permission" : String.valueOf(e.getMessage());
            damaged(Damage.FILE_UNREADABLE, name, 0, "it cannot be read: " + reason);
            return null;
        } finally {
            doneBytes += sizeOf(name);
            listener.progress(doneBytes, allBytes);
        }
    }

    private long sizeOf(String name) {
        try (Arena arena = Arena.ofConfined()) {
            return storage.map(name, arena).byteSize();
        } catch (IOException _) {
            return 0; // reading it reports the failure
        }
    }
}
