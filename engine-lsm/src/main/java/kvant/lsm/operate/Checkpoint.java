package kvant.lsm.operate;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import kvant.engine.EngineException;
import kvant.engine.Maintenance;
import kvant.engine.directory.CheckpointTarget;
import kvant.engine.directory.DataDirectory;
import kvant.engine.directory.OwnFiles;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.read.SuperVersion;
import kvant.lsm.read.SuperVersions;
import kvant.lsm.record.BoundedCursor;
import kvant.lsm.storage.DiskStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.StorageFullException;
import kvant.lsm.table.TableInfo;
import kvant.lsm.table.TableOptions;
import kvant.lsm.value.ValueFileInfo;
import kvant.lsm.version.Levels;
import kvant.lsm.version.Manifest;
import kvant.lsm.version.Run;
import kvant.lsm.version.RunWriter;
import kvant.lsm.version.Version;
import kvant.lsm.version.WrittenRun;

/// A copy of one super version as a data directory of its own.
///
///     TARGET.kvant-NNNN: KVANT, memtables as new tables, tables and value files by hard link,
///                        manifest, all synced
///     rename to TARGET, sync of its parent
///
/// Nothing of the store is written: the memtables go into tables of the copy, and the copy's manifest names
/// exactly these files. So it has no log and nothing to replay, and a crash leaves a temporary directory and
/// nothing else. The version is held, which keeps its files from being deleted; memtables only until they are written,
/// because copying the files may take long. Belongs to one thread.
public final class Checkpoint {

    private static final String UNFINISHED = ".kvant-";

    /// The environment of a checkpoint.
    ///
    /// @param source the directory of the store's files
    /// @param table format of tables
    /// @param random gives the ids of files
    public record Context(Path source, TableOptions table, RandomGenerator random, Disk disk) {

        public Context(Path source, TableOptions table, RandomGenerator random) {
            this(source, table, random, new RealDisk());
        }
    }

    /// The file-system calls of a checkpoint, so that tests can let them fail.
    public interface Disk {
        Storage open(Path directory) throws IOException;

        void link(Path link, Path existing) throws IOException;

        void copy(Path from, Path to) throws IOException;

        void rename(Path from, Path to) throws IOException;

        void sync(Path fileOrDirectory) throws IOException;
    }

    /// The contents of a checkpoint.
    ///
    /// @param version held, with the files that are shared
    /// @param written of the memtables
    /// @param sequence the last one that belongs to it
    private record Parts(Version version, WrittenRun shared, WrittenRun written, long sequence) {}

    private final Context context;
    private final SuperVersions readers;
    private final BooleanSupplier cancelled;
    private final Maintenance.Progress progress;
    private boolean copies;
    private long linkedBytes;
    private long lastLineNanos;

    Checkpoint(Context context, SuperVersions readers, BooleanSupplier cancelled, Maintenance.Progress progress) {
        this.context = context;
        this.readers = readers;
        this.cancelled = cancelled;
        this.progress = progress;
        this.lastLineNanos = System.nanoTime();
    }

    void write(Path target) {
        CheckpointTarget place = CheckpointTarget.of(context.source().resolve(".."), target);
        boolean renamed = false;
        try {
            fill(place.unfinished());
            context.disk().rename(place.unfinished(), place.path());
            renamed = true;
        } catch (IOException e) {
            throw notMade(e, place.unfinished());
        } finally {
            if (!renamed) {
                place.discard();
            }
        }
        try {
            context.disk().sync(place.parent());
        } catch (IOException e) {
            throw new EngineException.Io(
                    "the checkpoint " + target + " is complete, but may not survive a power cut: " + OwnFiles.reason(e),
                    e);
        }
    }

    private static EngineException notMade(IOException e, Path directory) {
        IOException known = DiskStorage.explained(e, directory); // also of calls that do not go through a storage
        return known instanceof StorageFullException full
                ? new EngineException.StorageFull("no checkpoint was made: " + full.getMessage())
                : new EngineException.Io("no checkpoint was made: " + OwnFiles.reason(e), e);
    }

    private void fill(Path directory) throws IOException {
        DataDirectory.create(directory, FileNames.ENGINE, context.source().resolve(".."));
        Path files = directory.resolve(FileNames.DIRECTORY);
        Storage storage = context.disk().open(files);
        Parts parts = writeMemtables(storage);
        try {
            linkAll(parts.shared(), files);
            storage.syncDirectory();
            Manifest.create(storage, context.random(), parts.shared().plus(parts.written()), parts.sequence());
            context.disk().sync(directory);
        } finally {
            readers.release(parts.version());
        }
    }

    /// Writes the memtables. After its return nothing here refers to a memtable any more.
    private Parts writeMemtables(Storage storage) throws IOException {
        // Acquire the view first: it has all writes acknowledged by now, and its memtables go up to the sequence.
        SuperVersion view = readers.acquire();
        long sequence = readers.visibleSequence();
        while (readers.current().active() != view.active()) { // sealed: the sequence may be of the next memtable
            readers.release(view);
            view = readers.acquire();
            sequence = readers.visibleSequence();
        }
        boolean written = false;
        try {
            WrittenRun shared = shared(view.version());
            Parts parts = new Parts(
                    view.version(), shared, writeMemtables(view, sequence, storage, shared.nextNumber()), sequence);
            written = true;
            return parts;
        } finally {
            view.releaseMemtables();
            if (!written) {
                readers.release(view.version());
            }
        }
    }

    private static WrittenRun shared(Version version) {
        List<TableInfo> tables = new ArrayList<>();
        for (Run run : version.runs()) {
            tables.addAll(run.tableInfos());
        }
        return new WrittenRun(tables, version.valueFileInfos());
    }

    private void linkAll(WrittenRun shared, Path files) throws IOException {
        for (TableInfo table : shared.tables()) {
            link(FileNames.table(table.number()), table.bytes(), files);
        }
        for (ValueFileInfo values : shared.values()) {
            link(FileNames.values(values.number()), values.bytes(), files);
        }
    }

    private void link(String name, long bytes, Path files) throws IOException {
        refuseCancelled();
        linkOrCopy(context.source().resolve(name), files.resolve(name));
        linkedBytes += bytes;
        if (copies && System.nanoTime() - lastLineNanos > LsmMaintenance.PROGRESS_NANOS) {
            lastLineNanos = System.nanoTime();
            progress.line("copied " + LsmMaintenance.size(linkedBytes));
        }
    }

    /// A hard link of a durable file needs no sync of its own; a copy does.
    private void linkOrCopy(Path from, Path to) throws IOException {
        if (!copies) {
            try {
                context.disk().link(to, from);
                return;
            } catch (FileSystemException | UnsupportedOperationException e) {
                if (e instanceof FileAlreadyExistsException) {
                    throw (FileAlreadyExistsException) e;
                }
                copies = true;
                progress.line("copying, because files cannot be shared with " + to.getParent() + " by hard links");
            }
        }
        context.disk().copy(from, to);
        context.disk().sync(to);
    }

    /// Writes each memtable as a run of its own, newer than all tables, the oldest first.
    private WrittenRun writeMemtables(SuperVersion view, long sequence, Storage storage, long firstNumber)
            throws IOException {
        AtomicLong numbers = new AtomicLong(firstNumber);
        RunWriter writer = new RunWriter(
                storage, context.random(), numbers::getAndIncrement, context.table(), _ -> refuseCancelled());
        List<Memtable> oldestFirst = new ArrayList<>(view.sealed()).reversed();
        WrittenRun written = WrittenRun.NOTHING;
        for (Memtable memtable : oldestFirst) {
            written = written.plus(write(memtable, sequence, numbers, writer));
        }
        return written.plus(write(view.active(), sequence, numbers, writer));
    }

    private static WrittenRun write(Memtable memtable, long sequence, AtomicLong numbers, RunWriter writer)
            throws IOException {
        long run = Levels.newestRun(numbers.getAndIncrement());
        return writer.flush(new BoundedCursor(memtable.cursor(), sequence), run);
    }

    private void refuseCancelled() {
        if (cancelled.getAsBoolean()) {
            throw new EngineException.Closed();
        }
    }

    /// The file system as it is.
    static final class RealDisk implements Disk {

        @Override
        public Storage open(Path directory) throws IOException {
            return DiskStorage.open(directory);
        }

        @Override
        public void link(Path link, Path existing) throws IOException {
            Files.createLink(link, existing);
        }

        @Override
        public void copy(Path from, Path to) throws IOException {
            Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
        }

        @Override
        public void rename(Path from, Path to) throws IOException {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        }

        @Override
        public void sync(Path fileOrDirectory) throws IOException {
            try (FileChannel channel = FileChannel.open(fileOrDirectory)) {
                channel.force(true);
            }
        }
    }
}
