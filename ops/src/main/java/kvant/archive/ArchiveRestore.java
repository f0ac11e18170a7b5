package kvant.archive;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import kvant.archive.ArchiveIndex.Base;
import kvant.archive.ArchiveIndex.LogObject;
import kvant.archive.ArchiveIndex.Step;
import kvant.backup.Backup;
import kvant.backup.Catalog;
import kvant.backup.FileTree;
import kvant.backup.ObjectStore;
import kvant.backup.Restore;
import kvant.engine.ConditionFailedException;
import kvant.engine.EngineException;
import kvant.engine.LocalEngine;
import kvant.engine.Mutation;
import kvant.engine.WriteBatch;
import kvant.engine.directory.OwnFiles;
import kvant.engine.feed.ChangeSource;
import kvant.text.Units;
import kvant.text.UserException;

/// Makes a data directory of an archive: a base, and the changes behind it in their order, each with the version
/// that it had. Works in a folder of the directory, `restoring`. Its files move up when all are complete, the file that
/// makes it a data directory last: no node opens half of a store, and the same command repeats a broken-off restore.
/// Belongs to one thread.
public final class ArchiveRestore {

    /// The state that is wanted.
    public sealed interface RestorePoint {

        /// The newest state.
        record Latest() implements RestorePoint {}

        /// The state at a version.
        record Version(long version) implements RestorePoint {}

        /// The state at the last version whose time is at most this one, whatever the clock did meanwhile.
        record Time(long millis) implements RestorePoint {}
    }

    /// The result of a restore.
    ///
    /// @param objects number of objects read in addition to the base
    /// @param millis time of the last change, or of the base without later changes
    public record Restored(Base base, long version, long millis, int objects, long bytes) {}

    /// @param bases that lead to the wanted version, the newest first
    private record Plan(List<Base> bases, long version) {}

    private static final int BUFFER_BYTES = 256 << 10;
    private static final int LOOKS = 3;
    private static final String STAGING = "restoring";
    private static final String IDENTITY = "KVANT";
    private static final long BATCH_BYTES = 1 << 20;
    private static final long PROGRESS_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long BUSY_NANOS = Duration.ofMinutes(10).toNanos();
    private static final long BUSY_PAUSE_NANOS = Duration.ofMillis(50).toNanos();

    private final ArchivePlace place;
    private final Path target;
    private final Path staging;
    private final Function<Path, LocalEngine> opener;
    private final Consumer<String> progress;
    private long lastLineNanos = System.nanoTime();

    /// @param target is empty, does not exist, or is left from an interrupted restore
    /// @param opener opens the store to which changes are added, also a [ChangeSource]; its writes are durable once
    ///     closed
    /// @param progress receives a readable line about once a second
    public ArchiveRestore(
            ArchivePlace place, Path target, Function<Path, LocalEngine> opener, Consumer<String> progress) {
        this.place = place;
        this.target = target.toAbsolutePath().normalize();
        this.staging = this.target.resolve(STAGING);
        this.opener = opener;
        this.progress = progress;
    }

    /// @param tip epoch to restore from; 0 for the newest
    /// @throws UserException where that state cannot be restored, with the reason and the last state that can
    public Restored run(RestorePoint point, int tip) throws IOException {
        try (ObjectStore store = place.open("")) {
            Plan plan = plan(store, tip, point);
            boolean existed = Files.exists(target);
            prepare();
            try {
                Base base = restoreBase(plan.bases());
                Replay replay = addChanges(store, base, tip, plan.version());
                new OwnerFile(String.valueOf(EpochFormat.identity(store)), "", "", replay.epoch, replay.version)
                        .write(OwnerFile.folder(staging));
                moveUp();
                return new Restored(base, replay.version, replay.millis, replay.objects, replay.bytes);
            } catch (IOException | RuntimeException | Error e) {
                FileTree.delete(existed ? staging : target);
                throw e;
            }
        }
    }

    // Planning.

    /// Plans again if a node has merged objects meanwhile.
    ///
    /// @param tip epoch to look from; 0 for the newest
    /// @throws UserException where that state cannot be restored, with the last one before it that can
    private static Plan plan(ObjectStore store, int tip, RestorePoint point) throws IOException {
        for (int look = 1; ; look++) {
            try {
                return plan(store, ArchiveIndex.read(store, tip), point);
            } catch (UserException e) {
                if (!isMissing(e) || look == LOOKS) {
                    throw e;
                }
            }
        }
    }

    /// Whether the reason is an object that was listed and no longer exists.
    static boolean isMissing(UserException e) {
        return e.getCause() instanceof NoSuchFileException;
    }

    private static Plan plan(ObjectStore store, ArchiveIndex index, RestorePoint point) throws IOException {
        String where = store.describe("");
        List<Base> bases = index.usableBases();
        if (bases.isEmpty()) {
            throw new UserException("there is no base of an archive in " + where);
        }
        long wanted = switch (point) {
            case RestorePoint.Latest _ -> index.newest();
            case RestorePoint.Version(long version) -> version;
            case RestorePoint.Time(long millis) -> versionAt(store, index, millis);
        };
        if (wanted > index.newest()) {
            throw new UserException("version " + wanted + " is not in " + where + ": the newest there is "
                    + index.newest() + "; --latest restores it");
        }
        List<Base> before =
                bases.stream().filter(base -> base.version() <= wanted).toList().reversed();
        if (before.isEmpty()) {
            throw new UserException(
                    "nothing in " + where + " is as old: the first state that can be restored is version "
                            + bases.getFirst().version() + ", of "
                            + Instant.ofEpochMilli(bases.getFirst().millis()));
        }
        long end = index.cover(before.getFirst().version()).end();
        if (end < wanted) {
            throw new UserException("the object with version " + (end + 1) + " is missing in "
                    + store.describe(ArchiveFormat.LOGS)
                    + ", or never came there (a gap): the last state before it that can be restored is"
                    + " version " + end + "; --version " + end + " restores it");
        }
        return new Plan(before, wanted);
    }

    /// The last version whose time is at most this one; -1 where all are later.
    private static long versionAt(ObjectStore store, ArchiveIndex index, long millis) throws IOException {
        long[] last = {-1};
        for (Base base : index.usableBases()) {
            if (base.millis() <= millis) {
                last[0] = Math.max(last[0], base.version());
            }
        }
        for (Step step : index.lineObjects().reversed()) {
            LogObject object = step.object();
            if (step.until() > last[0] && object.firstMillis() <= millis) {
                if (object.lastMillis() <= millis && step.until() == object.to()) {
                    last[0] = step.until(); // all of it
                    continue;
                }
                read(store, object, (version, groupMillis) -> {
                    if (groupMillis <= millis && version <= step.until()) {
                        last[0] = Math.max(last[0], version);
                    }
                });
            }
        }
        return last[0];
    }

    /// @throws UserException where an object is missing or damaged, with the last state that can be restored
    static void read(ObjectStore store, LogObject object, ArchiveFormat.Visitor visitor) throws IOException {
        String where = store.describe(object.name());
        try (InputStream in = new BufferedInputStream(store.get(object.name()), BUFFER_BYTES)) {
            ArchiveFormat.read(in, object, where, visitor);
        } catch (NoSuchFileException e) {
            throw new UserException(
                    where + " is missing: the last state that can be restored is version " + object.from()
                            + "; --version " + object.from() + " restores it",
                    e);
        }
    }

    /// Reads a whole archive through and compares checksums. Changes nothing.
    ///
    /// @param problem gets a line for each problem
    /// @return how many problems there are
    public static int verify(ArchivePlace place, Consumer<String> problem) throws IOException {
        int problems = 0;
        try (ObjectStore store = place.open("");
                ObjectStore backups = place.open(ArchiveFormat.BACKUPS)) {
            ArchiveIndex index = ArchiveIndex.read(store, 0);
            for (Step step : index.lineObjects()) {
                try {
                    read(store, step.object(), (_, _) -> {});
                } catch (UserException e) {
                    boolean isMerged =
                            isMissing(e) && !ArchiveIndex.objects(store).contains(step.object());
                    if (!isMerged) {
                        problem.accept(e.getMessage());
                        problems++;
                    }
                }
            }
            Catalog catalog = Catalog.read(backups);
            List<Backup> sound = new ArrayList<>();
            for (Base base : index.usableBases()) {
                try {
                    sound.add(catalog.find(base.id(), backups));
                } catch (UserException e) {
                    problem.accept(e.getMessage());
                    problems++;
                }
            }
            problems += Catalog.verify(backups, sound, problem);
            if (!index.isWhole()) {
                String why = index.spans().isEmpty()
                        ? "there is no base"
                        : "the changes after version " + index.spans().getLast().to() + " are missing";
                problem.accept("the newest version " + index.newest() + " cannot be restored: " + why);
                problems++;
            }
        }
        return problems;
    }

    // Restoring.

    private void prepare() throws IOException {
        if (Files.exists(staging) && !Files.exists(target.resolve(IDENTITY))) {
            progress.accept("an earlier restore was interrupted: starting again");
            for (Path each : files(target)) {
                if (!each.equals(staging) && !each.endsWith(Restore.LOST_AND_FOUND)) {
                    FileTree.delete(each);
                }
            }
            FileTree.delete(staging); // last: it tells that the rest is of a restore
        }
        Restore.refuseUsed(target);
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return new ArrayList<>(files.toList());
        }
    }

    private Base restoreBase(List<Base> newestFirst) throws IOException {
        UserException damage = null;
        for (Base base : newestFirst) {
            try (ObjectStore backups = place.open(ArchiveFormat.BACKUPS)) {
                progress.accept("restoring the base of " + Instant.ofEpochMilli(base.millis()) + ", version "
                        + base.version() + ", " + Units.bytes(base.bytes()));
                new Restore(backups, staging, progress)
                        .run(Catalog.read(backups).find(base.id(), backups));
                return base;
            } catch (UserException e) {
                progress.accept("that base cannot be used: " + e.getMessage());
                damage = damage == null ? e : damage;
            }
        }
        throw damage == null ? new UserException("there is no base") : damage;
    }

    private Replay addChanges(ObjectStore store, Base base, int tip, long wanted) throws IOException {
        try (LocalEngine engine = opener.apply(staging)) {
            long has = ((ChangeSource) engine).changes().visible();
            if (has != base.version()) {
                throw new UserException("the base " + base.id() + " has version " + has + ", not " + base.version()
                        + " as its mark says: 'kvant archive verify' tells which can be used");
            }
            Replay replay = new Replay(engine, base);
            Iterator<Step> left =
                    ArchiveIndex.read(store, tip).cover(base.version()).steps().iterator();
            while (replay.version < wanted && left.hasNext()) {
                Step step = left.next();
                replay.until = Math.min(step.until(), wanted);
                try {
                    read(store, step.object(), replay);
                    replay.epoch = step.object().epoch();
                    replay.objects++;
                } catch (UserException e) {
                    ArchiveIndex.Cover now = ArchiveIndex.read(store, tip).cover(replay.version);
                    if (!isMissing(e) || now.steps().contains(step) || now.end() < wanted) {
                        throw e;
                    }
                    left = now.steps().iterator(); // a node has merged objects meanwhile
                }
                sayNowAndThen(replay, wanted);
            }
            replay.write();
            return replay;
        }
    }

    /// Adds groups to the store, several in one batch, and no group in part.
    private static final class Replay implements ArchiveFormat.Visitor {

        private final LocalEngine engine;
        private final List<Mutation> group = new ArrayList<>();
        private final List<Mutation> batch = new ArrayList<>();
        private long batchBytes;
        private long groupBytes;
        private int epoch;
        private long version;
        private long until;
        private long millis;
        private long bytes;
        private int objects;

        Replay(LocalEngine engine, Base base) {
            this.engine = engine;
            this.epoch = base.epoch();
            this.version = base.version();
            this.millis = base.millis();
        }

        @Override
        public void mutation(Mutation mutation) {
            group.add(mutation);
            groupBytes += mutation.key().length + (mutation instanceof Mutation.Put put ? put.value().length : 0);
        }

        @Override
        public void group(long newVersion, long newMillis) throws IOException {
            long known = Math.max(0, version - (newVersion - group.size()));
            if (newVersion <= until && newVersion > version) {
                batch.addAll(group.subList((int) known, group.size()));
                batchBytes += groupBytes;
                version = newVersion;
                millis = newMillis;
            }
            group.clear();
            groupBytes = 0;
            if (batchBytes >= BATCH_BYTES) {
                write();
            }
        }

        void write() throws IOException {
            if (batch.isEmpty()) {
                return;
            }
            long written = written(WriteBatch.of(batch));
            if (written != version) {
                throw new IOException("a change got version " + written + " in place of " + version);
            }
            bytes += batchBytes;
            batch.clear();
            batchBytes = 0;
        }

        /// Waits for a store that has to flush and merge first.
        private long written(WriteBatch changes) throws IOException {
            long beganNanos = System.nanoTime();
            while (true) {
                try {
                    return engine.write(changes);
                } catch (EngineException.Busy e) {
                    if (System.nanoTime() - beganNanos > BUSY_NANOS) {
                        throw e;
                    }
                    LockSupport.parkNanos(BUSY_PAUSE_NANOS);
                } catch (ConditionFailedException e) {
                    throw new IOException(e); // never happens
                }
            }
        }
    }

    private void moveUp() throws IOException {
        List<Path> files = files(staging);
        files.sort(Comparator.comparing((Path file) -> file.endsWith(IDENTITY)));
        for (Path file : files) {
            if (file.endsWith(IDENTITY)) {
                OwnFiles.syncDirectory(target); // all else is there before this makes it a data directory
            }
            Files.move(file, target.resolve(staging.relativize(file)), StandardCopyOption.ATOMIC_MOVE);
        }
        FileTree.delete(staging);
        OwnFiles.syncDirectory(target);
    }

    private void sayNowAndThen(Replay replay, long wanted) {
        if (System.nanoTime() - lastLineNanos > PROGRESS_NANOS) {
            lastLineNanos = System.nanoTime();
            progress.accept("restored up to version " + replay.version + " of " + wanted + ", "
                    + Units.bytes(replay.bytes) + " of changes");
        }
    }
}
