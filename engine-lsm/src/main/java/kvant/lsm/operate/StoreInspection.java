package kvant.lsm.operate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import kvant.engine.EngineException;
import kvant.engine.Inspection;
import kvant.engine.Inspection.Content;
import kvant.engine.Inspection.Figure;
import kvant.engine.Inspection.Unit;
import kvant.engine.directory.ExaminedDirectory;
import kvant.lsm.storage.DiskStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.LogsApart;
import kvant.lsm.storage.Storage;
import kvant.lsm.table.TableInfo;
import kvant.lsm.table.TableProperties;
import kvant.lsm.value.ValueFileInfo;
import kvant.lsm.version.Levels;
import kvant.lsm.version.Manifest;
import kvant.lsm.version.ManifestState;
import kvant.lsm.version.Run;
import kvant.lsm.version.Shape.RunShape;
import kvant.lsm.version.Version;
import kvant.lsm.wal.LogPlaces;

/// Collects the contents of a store, open or closed. Belongs to one thread.
public final class StoreInspection {

    private final List<Figure> figures = new ArrayList<>();
    private final List<Content> runs = new ArrayList<>();
    private final List<Content> tables = new ArrayList<>();
    private final List<Inspection.Log> logs = new ArrayList<>();
    private List<RunShape> newestFirst = List.of();
    private List<ValueFileInfo> valueFiles = List.of();

    StoreInspection() {}

    /// Inspects a store that no process has open. Changes nothing.
    ///
    /// @param directory whose engine is the LSM engine
    /// @throws EngineException where a start would be refused because of the manifest or a table's header or footer
    public static Inspection of(ExaminedDirectory directory) {
        Path files = directory.path().resolve(FileNames.DIRECTORY);
        if (!Files.isDirectory(files)) {
            throw new EngineException.CannotOpen("there is no directory " + files + " with the files of a store");
        }
        try {
            return of(LogsApart.find(DiskStorage.open(files)));
        } catch (IOException e) {
            throw StoreCheck.cannotLook(files, e);
        }
    }

    private static Inspection of(Storage storage) throws IOException {
        ManifestState state = Manifest.read(storage);
        state.refuseMissingFiles(storage);
        StoreInspection inspector = new StoreInspection();
        Version version = Version.examine(storage, state);
        try {
            inspector.version(version);
        } finally {
            version.release();
        }
        for (long log : state.logs()) {
            inspector.log(log, storage);
        }
        return inspector
                .figure("flushed_sequence", Unit.COUNT, state.flushedSequence())
                .inspection();
    }

    /// Adds the contents of a version.
    StoreInspection version(Version version) {
        newestFirst = version.shape().runs();
        valueFiles = version.valueFileInfos();
        for (Run run : version.runs()) {
            List<TableInfo> infos = run.tableInfos();
            List<TableProperties> properties = run.tableProperties();
            String name = Long.toString(run.id());
            Content sum = new Content(Levels.levelOf(run.id()), name, 0, 0, 0, 0, 0, 0);
            for (int i = 0; i < infos.size(); i++) {
                Content table = table(infos.get(i), properties.get(i));
                tables.add(table);
                sum = sum.plus(table, name);
            }
            runs.add(sum);
        }
        return this;
    }

    /// Adds a log, by its path where it is not in the directory of the tables. Preallocated room does not count: most
    /// of the file of a new log is zeros.
    StoreInspection log(long number, Storage storage) throws IOException {
        String name = FileNames.log(number);
        String shown = storage.logs() == storage ? name : storage.describe(name);
        logs.add(new Inspection.Log(shown, LogPlaces.groupBytes(storage, number)));
        return this;
    }

    StoreInspection figure(String name, Unit unit, double value) {
        figures.add(new Figure(name, unit, value));
        return this;
    }

    Inspection inspection() {
        long bytes = sum(runs, Content::bytes);
        figure("tables", Unit.COUNT, tables.size());
        figure("table_bytes", Unit.BYTES, bytes);
        figure("value_files", Unit.COUNT, valueFiles.size());
        figure("value_file_bytes", Unit.BYTES, sum(valueFiles, ValueFileInfo::bytes));
        long referenced = sum(newestFirst, run -> run.weight() - run.bytes());
        figure("value_garbage_bytes", Unit.BYTES, sum(valueFiles, ValueFileInfo::recordBytes) - referenced);
        figure("records", Unit.COUNT, sum(runs, Content::records));
        figure("deletions", Unit.COUNT, sum(runs, Content::deletions));
        figure("logs", Unit.COUNT, logs.size());
        figure("log_bytes", Unit.BYTES, sum(logs, Inspection.Log::bytes));
        figure("space_amplification", Unit.RATIO, spaceAmplification(bytes));
        return new Inspection(FileNames.ENGINE, figures, runs, tables, logs);
    }

    /// The space compared with the oldest run, which holds each key once: at most the data above it is obsolete, and
    /// the garbage of value files.
    private double spaceAmplification(long tableBytes) {
        if (newestFirst.isEmpty()) {
            return 1;
        }
        return (double) (tableBytes + sum(valueFiles, ValueFileInfo::bytes))
                / newestFirst.getLast().weight();
    }

    static <T> long sum(List<T> all, ToLongFunction<T> each) {
        return all.stream().mapToLong(each).sum();
    }

    private static Content table(TableInfo info, TableProperties properties) {
        return new Content(
                Levels.levelOf(info.run()),
                FileNames.table(info.number()),
                1,
                info.bytes(),
                properties.records(),
                properties.deletions(),
                properties.firstSequence(),
                properties.lastSequence());
    }
}
