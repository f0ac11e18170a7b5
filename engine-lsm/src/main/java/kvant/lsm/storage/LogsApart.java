package kvant.lsm.storage;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The files of a store whose logs are in a directory of their own. All of its logs are there, and nothing else: a
/// file with the name of a log next to the tables is no part of the store.
///
/// Names become durable by directory, and each has its own disk: [#syncDirectory] and [#usableBytes] of this object
/// concern the tables, those of [#logs] the logs.
public final class LogsApart implements Storage {

    private final Storage tables;
    private final Storage logs;

    /// @param tables where everything else is
    public LogsApart(Storage tables, Storage logs) {
        this.tables = tables;
        this.logs = logs;
    }

    /// Opens the files of a store that no process has open, with its logs, wherever they are. Changes nothing.
    ///
    /// @param files the directory of the store
    /// @throws kvant.engine.EngineException.CannotOpen when its log directory is missing
    public static Storage find(Storage files) throws IOException {
        LogPair pair = LogPair.read(files);
        return pair == null ? files : new LogsApart(files, pair.find(pair.other(), files));
    }

    @Override
    public Storage logs() {
        return logs;
    }

    @Override
    public List<String> list() throws IOException {
        return Stream.concat(
                        tables.list().stream().filter(name -> !FileNames.isLog(name)),
                        logs.list().stream().filter(FileNames::isLog))
                .sorted()
                .toList();
    }

    @Override
    public WritableFile create(String name) throws IOException {
        return of(name).create(name);
    }

    @Override
    public MemorySegment map(String name, Arena arena) throws IOException {
        return of(name).map(name, arena);
    }

    @Override
    public long read(String name, long position, MemorySegment into) throws IOException {
        return of(name).read(name, position, into);
    }

    @Override
    public long size(String name) throws IOException {
        return of(name).size(name);
    }

    @Override
    public void truncate(String name, long size) throws IOException {
        of(name).truncate(name, size);
    }

    /// Renames within one directory: no other file becomes a log.
    @Override
    public void rename(String from, String to) throws IOException {
        of(to).rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        of(name).delete(name);
    }

    @Override
    public void syncDirectory() throws IOException {
        tables.syncDirectory();
    }

    @Override
    public long usableBytes() throws IOException {
        return tables.usableBytes();
    }

    @Override
    public @Nullable String displaced() {
        String displaced = tables.displaced();
        return displaced == null ? logs.displaced() : displaced;
    }

    @Override
    public String describe(String name) {
        return of(name).describe(name);
    }

    private Storage of(String name) {
        return FileNames.isLog(name) ? logs : tables;
    }
}
