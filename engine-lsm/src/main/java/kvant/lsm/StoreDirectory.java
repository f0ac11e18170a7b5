package kvant.lsm;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.random.RandomGenerator;
import kvant.engine.EngineException;
import kvant.engine.directory.DataDirectory;
import kvant.engine.directory.OwnFiles;
import kvant.lsm.bytes.Opened;
import kvant.lsm.recover.LogMove;
import kvant.lsm.storage.DiskStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.LogPair;
import kvant.lsm.storage.LogsApart;
import kvant.lsm.storage.Storage;
import org.jspecify.annotations.Nullable;

/// The directories that an open store holds: its data directory, and the one of its logs where that is another.
record StoreDirectory(
        DataDirectory data, Storage storage, @Nullable DataDirectory logs) implements AutoCloseable {

    private static final Logger LOGGER = System.getLogger(StoreDirectory.class.getName());

    /// A file next to the directory of the store's files, not in it, which records that there has been a manifest.
    private static final String BEGUN = "BEGUN";

    /// Opens both, and brings the logs to the place where they are to be.
    ///
    /// @throws EngineException.CannotOpen when the logs are not where they should be, or the directory for them is
    ///     another store's
    static StoreDirectory open(Path path, LsmOptions options) throws IOException {
        try (Opened opened = new Opened()) {
            DataDirectory data = opened.add(DataDirectory.open(path, FileNames.ENGINE));
            return opened.all(new Opening(data, options).at(options.logPlace()));
        }
    }

    /// Records that the store has a manifest: from now on no new store is begun when all of its files are gone.
    void noteBegun() {
        Path begun = data.path().resolve(BEGUN);
        try {
            if (Files.notExists(begun)) {
                OwnFiles.replace(begun, "kvant store begun\n");
            }
        } catch (IOException e) { // the next start tries again
            LOGGER.log(Level.WARNING, "cannot write {0}: {1}", begun, e.getMessage());
        }
    }

    @Override
    public void close() {
        try {
            if (logs != null) {
                logs.close();
            }
        } finally {
            data.close();
        }
    }

    /// Finds out where the logs are, and where they belong.
    private static final class Opening {

        private final DataDirectory data;
        private final Path store;
        private final Storage files;
        private final @Nullable LogPair pair;
        private final LsmOptions options;

        Opening(DataDirectory data, LsmOptions options) throws IOException {
            this.data = data;
            this.store = data.path().toAbsolutePath().normalize();
            this.files = DiskStorage.open(data, FileNames.DIRECTORY);
            this.pair = LogPair.read(files);
            this.options = options;
            refuseEmptied();
        }

        /// If files are left without a manifest, recovery names one of them.
        private void refuseEmptied() throws IOException {
            boolean emptied = Files.exists(data.path().resolve(BEGUN))
                    && files.list().stream()
                            .noneMatch(name -> name.equals(FileNames.MANIFEST) || FileNames.isNumbered(name));
            if (emptied) {
                throw new EngineException.CannotOpen("the files of the store " + store + " are gone: "
                        + files.describe(FileNames.MANIFEST) + " is missing, and " + BEGUN + " says that it was there;"
                        + " mount its disk, or restore the data directory from a backup");
            }
        }

        StoreDirectory at(LogPlace place) throws IOException {
            return switch (place) {
                case LogPlace.Inside _ -> {
                    refuseApart();
                    yield inside();
                }
                case LogPlace.AsItIs _ -> pair == null ? inside() : apart(pair.other(), pair);
                case LogPlace.Directory(Path path) -> {
                    Path wanted = path.toAbsolutePath().normalize();
                    if (isStores(wanted)) {
                        yield pair == null ? inside() : broughtBack(pair);
                    }
                    yield pair == null ? broughtOut(wanted) : apart(wanted, pair);
                }
            };
        }

        private StoreDirectory inside() {
            return new StoreDirectory(data, files, null);
        }

        private void refuseApart() {
            if (pair != null) {
                throw new EngineException.CannotOpen("the logs of the store " + store + " are in " + pair.other()
                        + ": start with --lsm.log-dir " + pair.other() + ", or with --lsm.log-dir " + store
                        + " to bring them back");
            }
        }

        /// Whether this is the store's own directory, or the one in it that has the tables. Other directories in it
        /// have other purposes: a backup, for one, empties a directory there.
        private boolean isStores(Path wanted) throws IOException {
            Path own = store.toRealPath();
            Path real = real(wanted);
            boolean isOwn = real.equals(own) || real.equals(own.resolve(FileNames.DIRECTORY));
            if (!isOwn && real.startsWith(own)) {
                throw new EngineException.CannotOpen(wanted + " lies within the store " + store
                        + ": choose a directory elsewhere for its logs, or the store itself");
            }
            return isOwn;
        }

        /// The path without links, as far as it exists.
        private static Path real(Path wanted) throws IOException {
            Path there = wanted;
            while (!Files.exists(there)) {
                there = Objects.requireNonNull(there.getParent(), "a root that is not there");
            }
            return there.toRealPath().resolve(there.relativize(wanted)).normalize();
        }

        /// Opens a log directory that had the logs before, perhaps under another name.
        private StoreDirectory apart(Path path, LogPair known) throws IOException {
            known.find(path, files); // first: the disk may not be mounted, and nothing is to be created in its place
            return holding(path, logs -> {
                LogPair theirs = LogPair.read(logs);
                if (theirs == null || !theirs.id().equals(known.id())) {
                    throw new EngineException.CannotOpen(path + " has been given to another store: start again");
                }
                refuseCopy(path, theirs);
                refuseOther(path, known);
                if (!theirs.other().equals(store)) {
                    new LogPair(known.id(), store).write(logs);
                }
                if (!known.other().equals(path)) {
                    new LogPair(known.id(), path).write(files);
                }
                return new LogsApart(files, logs);
            });
        }

        /// Two stores of which one is a copy would take each other's logs for theirs, and delete them.
        private void refuseCopy(Path path, LogPair theirs) throws IOException {
            Path original = theirs.other().resolve(FileNames.DIRECTORY);
            if (!theirs.other().equals(store) && isTwin(original, store.resolve(FileNames.DIRECTORY), theirs)) {
                throw new EngineException.CannotOpen("the logs in " + path + " are those of the store "
                        + theirs.other() + ", of which " + store + " is a copy: delete one of the two, and copy"
                        + " a store by a checkpoint, which has no logs");
            }
        }

        /// Refuses a copy of the log directory: the store has written to the one that it names.
        private void refuseOther(Path path, LogPair known) throws IOException {
            Path named = known.other().resolve(FileNames.LOG_DIRECTORY);
            if (!known.other().equals(path) && isTwin(named, path.resolve(FileNames.LOG_DIRECTORY), known)) {
                throw new EngineException.CannotOpen("the logs of the store " + store + " are in " + known.other()
                        + ", of which " + path + " is a copy: start with --lsm.log-dir " + known.other()
                        + ", or delete that one if the copy is to be used from now on");
            }
        }

        /// Whether a directory is a different one that belongs to the same pair.
        private static boolean isTwin(Path other, Path own, LogPair pair) throws IOException {
            if (!Files.isDirectory(other) || Files.isSameFile(other, own)) {
                return false;
            }
            LogPair found = LogPair.read(DiskStorage.open(other));
            return found != null && found.id().equals(pair.id());
        }

        private StoreDirectory broughtOut(Path path) throws IOException {
            return holding(path, logs -> {
                LogPair theirs = LogPair.read(logs);
                boolean hasLogs = logs.list().stream().anyMatch(FileNames::isLog);
                if (theirs != null && !theirs.other().equals(store) || hasLogs) {
                    throw new EngineException.CannotOpen(path + " has "
                            + (theirs == null
                                    ? "logs, and no file that says of which store (" + FileNames.LOGS + ")"
                                    : "the logs of the store " + theirs.other())
                            + ": choose another directory, or delete it if that store is gone");
                }
                RandomGenerator random = options.random();
                LogPair begun = theirs == null ? LogPair.begin(random, path) : new LogPair(theirs.id(), path);
                return LogMove.out(files, logs, begun, store, options);
            });
        }

        private StoreDirectory broughtBack(LogPair known) throws IOException {
            StoreDirectory apart = apart(known.other(), known);
            try (DataDirectory _ = apart.logs) {
                LogMove.back(files, apart.storage.logs(), options);
            }
            return inside();
        }

        /// An action that needs the log directory to be held.
        private interface Use {
            Storage with(Storage logs) throws IOException;
        }

        private StoreDirectory holding(Path path, Use use) throws IOException {
            try (Opened opened = new Opened()) {
                DataDirectory held = opened.add(held(path));
                Storage storage = use.with(DiskStorage.open(held, FileNames.LOG_DIRECTORY));
                return opened.all(new StoreDirectory(data, storage, held));
            }
        }

        private static DataDirectory held(Path path) {
            try {
                return DataDirectory.open(path, DataDirectory.FOR_LOGS);
            } catch (EngineException.CannotOpen e) {
                throw new EngineException.CannotOpen("no place for logs (--lsm.log-dir): " + e.getMessage(), e);
            }
        }
    }
}
