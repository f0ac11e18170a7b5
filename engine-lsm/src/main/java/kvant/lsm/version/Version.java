package kvant.lsm.version;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvant.lsm.bytes.References;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.record.TombstoneFilter;
import kvant.lsm.storage.Storage;
import kvant.lsm.table.TableContext;
import kvant.lsm.table.TableInfo;
import kvant.lsm.table.TableOptions;
import kvant.lsm.value.ValueFile;
import kvant.lsm.value.ValueFileInfo;
import org.jspecify.annotations.Nullable;

/// A snapshot of the store's tables: runs, newest first. Immutable and reference-counted: a reader of more than one
/// look-up holds a reference, and the files of a table that no version holds any more are deleted.
public final class Version {

    private final List<Run> runs;
    private final List<LiveTable> tables;
    private final List<LiveValues> valueFiles;
    private final Consumer<LiveFile> obsolete;

    private final References references = new References();

    /// @param valueFiles that the tables refer to
    /// @param obsolete receives files that no version holds any more
    Version(Collection<LiveTable> members, Collection<LiveValues> valueFiles, Consumer<LiveFile> obsolete) {
        this.tables = List.copyOf(members);
        this.valueFiles = List.copyOf(valueFiles);
        this.obsolete = obsolete;
        this.runs = runsOf(tables);
        tables.forEach(LiveFile::acquire);
        valueFiles.forEach(LiveFile::acquire);
    }

    /// Opens the tables of a state for examination. The files stay unchanged, and are closed by [#release].
    ///
    /// @throws kvant.engine.EngineException.Corruption as [VersionSet#open]
    public static Version examine(Storage storage, ManifestState state) throws IOException {
        LiveFiles files = LiveFiles.open(storage, state.tables(), state.valueFiles(), new TableContext(0));
        return new Version(files.tables(), files.values(), LiveFile::close);
    }

    /// Newest first.
    public List<Run> runs() {
        return runs;
    }

    /// A cursor over a run; null where there is none of this number. The caller holds a reference.
    public @Nullable RecordCursor cursor(long run) {
        return run(run).map(Run::cursor).orElse(null);
    }

    /// Takes a reference.
    ///
    /// @return false when the version is dead; a newer one is then in its place
    public boolean acquire() {
        return references.acquire();
    }

    public void release() {
        if (references.release()) {
            release(tables);
            release(valueFiles);
        }
    }

    private void release(List<? extends LiveFile> files) {
        for (LiveFile file : files) {
            if (file.release()) {
                obsolete.accept(file);
            }
        }
    }

    /// The input of compaction decisions; computed by each call.
    public Shape shape() {
        return new Shape(
                runs.stream().map(Run::shape).toList(),
                valueFiles.stream()
                        .map(file -> new Shape.ValueShape(
                                file.info().number(), file.info().recordBytes()))
                        .toList());
    }

    /// A cursor over some tables of a run, for merges; see [kvant.lsm.table.Table#checkingCursor]. The caller holds a
    /// reference.
    ///
    /// @param tables numbers
    public RecordCursor checkingCursor(long run, List<Long> tables) {
        return run(run).orElseThrow().checkingCursor(Set.copyOf(tables));
    }

    private Optional<Run> run(long id) {
        return runs.stream().filter(each -> each.id() == id).findFirst();
    }

    private Optional<LiveTable> table(long number) {
        return tables.stream().filter(each -> each.number() == number).findFirst();
    }

    /// The same over one table; null where it is not part of this version.
    public @Nullable RecordCursor checkingCursor(long number) {
        return table(number).map(table -> table.table().checkingCursor()).orElse(null);
    }

    /// Whether a table may become part of another run unchanged: not if it would be stored with other settings there.
    public boolean mayMove(long number, long run, TableOptions options) {
        LiveTable table = table(number).orElseThrow();
        return table.table()
                .isStoredAs(
                        options.compressionOf(Levels.levelOf(run)),
                        options.compressionOf(Levels.levelOf(table.info().run())));
    }

    /// The filter of older records beneath a merge into a run.
    ///
    /// @param merged numbers of the tables that are being merged
    public TombstoneFilter olderRecords(long outputRun, Set<Long> merged) {
        return new OlderTables(runs, outputRun, merged);
    }

    public TableInfo tableInfo(long number) {
        return table(number).orElseThrow().info();
    }

    /// The value files that its tables refer to, by number.
    public List<ValueFileInfo> valueFileInfos() {
        return valueFiles.stream().map(LiveValues::info).toList();
    }

    /// The open value file of this number; null where its tables refer to none. The caller holds a reference.
    public @Nullable ValueFile valueFile(long number) {
        return valueFiles.stream()
                .filter(file -> file.number() == number)
                .findFirst()
                .map(LiveValues::file)
                .orElse(null);
    }

    /// Files of this version that are no longer part of the store, with their bytes, by number: they stay on the disk
    /// while the version is held.
    public Map<Long, Long> retiredFiles() {
        Map<Long, Long> retired = new HashMap<>();
        Stream.of(tables, valueFiles)
                .flatMap(List::stream)
                .filter(LiveFile::isRetired)
                .forEach(file -> retired.put(file.number(), file.bytes()));
        return retired;
    }

    List<LiveTable> tables() {
        return tables;
    }

    List<LiveValues> valueFiles() {
        return valueFiles;
    }

    private static List<Run> runsOf(List<LiveTable> tables) {
        Map<Long, List<LiveTable>> byRun = tables.stream()
                .collect(Collectors.groupingBy(table -> table.info().run()));
        List<Run> runs = new ArrayList<>();
        byRun.forEach((id, members) -> runs.add(new Run(id, members)));
        runs.sort(Comparator.comparingLong(Run::id).reversed());
        return List.copyOf(runs);
    }
}
