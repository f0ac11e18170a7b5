package kvant.archive;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import kvant.archive.ArchiveIndex.Step;
import kvant.backup.Catalog;
import kvant.backup.ObjectStore;
import kvant.backup.Restore;
import kvant.engine.ConditionFailedException;
import kvant.engine.EngineException;
import kvant.engine.LocalEngine;
import kvant.engine.Mutation;
import kvant.engine.WriteBatch;
import kvant.engine.feed.ChangeSource;
import kvant.text.Units;
import kvant.text.UserException;

/// Makes a data directory of an archive: a base, and the changes behind it in their order, each with the version
/// that it had. Works in a folder of the directory, `restoring`; what it made moves up when all of it is there, and
/// the file that makes it a data directory last. So no node opens half of a store, and what was broken off is
/// repeated by the same command. Belongs to one thread.
public final class ArchiveRestore {

    /// What was restored.
    ///
    /// @param objects that were read beside the base
    /// @param millis time of the last change, or of the base where there is none behind it
    public record Restored(Base base, long version, long millis, int objects, long bytes) {}

    private static final String STAGING = "restoring";
    private static final String IDENTITY = "KVANT";
    private static final String LOST_AND_FOUND = "lost+found";
    private static final long BATCH_BYTES = 1 << 20;
    private static final long PROGRESS_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long BUSY_NANOS = Duration.ofMinutes(10).toNanos();
    private static final long BUSY_PAUSE_MILLIS = 50;

    private final ArchivePlace place;
    private final Path target;
    private final Path staging;
    private final Function<Path, LocalEngine> opener;
    private final Consumer<String> progress;
    private long lastLineNanos = System.nanoTime();

    /// @param target is empty, does not exist, or was left by a restore that was broken off
    /// @param opener opens the store that the changes are added to, a [ChangeSource] too; what it writes is durable
    ///     once it is closed
    /// @param progress gets a line for a person about once a second
    public ArchiveRestore(
            ArchivePlace place, Path target, Function<Path, LocalEngine> opener, Consumer<String> progress) {
        this.place = place;
        this.target = target.toAbsolutePath().normalize();
        this.staging = this.target.resolve(STAGING);
        this.opener = opener;
        this.progress = progress;
    }

    /// @param tip epoch to restore from; 0 for the newest
    /// @throws UserException where that cannot be restored, saying why and what can
    public Restored run(RestorePoint point, int tip) throws IOException {
        try (ObjectStore store = place.open("")) {
            RestorePlan plan = RestorePlan.of(store, tip, point);
            boolean existed = Files.exists(target);
            prepare();
            boolean done = false;
            try {
                Base base = restoreBase(plan.bases());
                Replay replay = addChanges(store, base, tip, plan.version());
                Restored restored = new Restored(base, replay.version, replay.millis, replay.objects, replay.bytes);
                new OwnerFile(String.valueOf(EpochFormat.identity(store)), "", "", replay.epoch, restored.version())
                        .write(OwnerFile.folder(staging));
                moveUp();
                done = true;
                return restored;
            } finally {
                if (!done) {
                    delete(existed ? staging : target);
                }
            }
        }
    }

    private void prepare() throws IOException {
        if (!Files.exists(target)) {
            return;
        }
        if (!Files.isDirectory(target)) {
            throw new UserException(target + " is a file: name a directory that is empty or does not exist");
        }
        List<Path> left = new ArrayList<>();
        try (Stream<Path> files = Files.list(target)) {
            files.filter(file -> !file.endsWith(LOST_AND_FOUND)).forEach(left::add);
        }
        if (left.contains(staging) && !Files.exists(target.resolve(IDENTITY))) {
            progress.accept("an earlier restore was interrupted: starting again");
            for (Path each : left) {
                if (!each.equals(staging)) {
                    delete(each);
                }
            }
            delete(staging); // last: it is what tells that the rest is of a restore
        } else if (!left.isEmpty()) {
            throw new UserException(target + " is not empty: name a directory that is empty or does not exist");
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
            Iterator<Step> left = cover(store, tip, base.version()).steps().iterator();
            while (replay.version < wanted && left.hasNext()) {
                Step step = left.next();
                replay.until = Math.min(step.until(), wanted);
                try {
                    RestorePlan.read(store, step.object(), replay);
                    replay.epoch = step.object().epoch();
                    replay.objects++;
                } catch (UserException e) {
                    ArchiveIndex.Cover now = cover(store, tip, replay.version);
                    if (!RestorePlan.isMissing(e) || now.steps().contains(step) || now.end() < wanted) {
                        throw e;
                    }
                    left = now.steps().iterator(); // a node has merged it with others meanwhile
                }
                sayNowAndThen(replay, wanted);
            }
            replay.write();
            return replay;
        }
    }

    private static ArchiveIndex.Cover cover(ObjectStore store, int tip, long version) throws IOException {
        return ArchiveIndex.read(store, tip).cover(version);
    }

    /// Adds groups to the store, several in one batch. None is added half.
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

        /// A store that has to flush and merge first is waited for.
        private long written(WriteBatch changes) throws IOException {
            long beganNanos = System.nanoTime();
            while (true) {
                try {
                    return engine.write(changes);
                } catch (EngineException.Busy e) {
                    if (System.nanoTime() - beganNanos > BUSY_NANOS) {
                        throw e;
                    }
                    sleep();
                } catch (ConditionFailedException e) {
                    throw new IOException(e); // there is none
                }
            }
        }

        private static void sleep() throws IOException {
            try {
                Thread.sleep(BUSY_PAUSE_MILLIS);
            } catch (InterruptedException e) {
                throw new IOException("the restore was interrupted", e);
            }
        }
    }

    private void moveUp() throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> made = Files.list(staging)) {
            made.forEach(files::add);
        }
        files.sort(Comparator.comparing((Path file) -> file.endsWith(IDENTITY)));
        for (Path file : files) {
            if (file.endsWith(IDENTITY)) {
                sync(target); // all else is there before this makes it a data directory
            }
            Files.move(file, target.resolve(staging.relativize(file)), StandardCopyOption.ATOMIC_MOVE);
        }
        delete(staging);
        sync(target);
    }

    private static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory)) {
            channel.force(true);
        }
    }

    private static void delete(Path tree) throws IOException {
        if (Files.exists(tree)) {
            List<Path> deepestFirst;
            try (Stream<Path> all = Files.walk(tree)) {
                deepestFirst = all.toList().reversed();
            }
            for (Path each : deepestFirst) {
                Files.delete(each);
            }
        }
    }

    private void sayNowAndThen(Replay replay, long wanted) {
        if (System.nanoTime() - lastLineNanos > PROGRESS_NANOS) {
            lastLineNanos = System.nanoTime();
            progress.accept("restored up to version " + replay.version + " of " + wanted + ", "
                    + Units.bytes(replay.bytes) + " of changes");
        }
    }
}
