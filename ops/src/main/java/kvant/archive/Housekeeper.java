package kvant.archive;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import kvant.backup.Backup;
import kvant.backup.BackupWriter;
import kvant.backup.Catalog;
import kvant.backup.Hashes;
import kvant.backup.ObjectStore;
import kvant.backup.Retention;
import kvant.backup.TargetLock;
import kvant.engine.EngineException;

/// Makes bases, merges small objects into longer ones, and deletes what no restore needs. What replaces something is
/// put before that is deleted, and covers it: whatever is broken off leaves more than is needed, and the next look
/// finds it. A thread of its own, because a base may take hours.
final class Housekeeper implements AutoCloseable {

    private static final Logger LOGGER = System.getLogger(Housekeeper.class.getName());
    private static final int BUFFER_BYTES = 64 << 10;

    /// Objects are small below these parts of the largest merged one. Each is written once for each of them.
    private static final List<Integer> TIERS = List.of(1024, 32, 1);

    // Constant.
    private final ArchivePlace place;
    private final ArchivedStore source;
    private final Ownership owned;
    private final ArchiveOptions options;
    private final ArchiveState state;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("kvant-archive-base").unstarted(this::run);

    // One thread.
    private final Set<String> unreadable = new HashSet<>();
    private final long beganNanos = System.nanoTime();
    private long beganMillis = -1;
    private long nextBaseNanos = beganNanos;

    // Guarded by the lock.
    private boolean closing;
    private boolean wanted;

    Housekeeper(
            ArchivePlace place,
            ArchivedStore source,
            Ownership owned,
            ArchiveOptions options,
            ArchiveState state,
            Clock clock) {
        this.place = place;
        this.source = source;
        this.owned = owned;
        this.options = options;
        this.state = state;
        this.clock = clock;
    }

    void start() {
        thread.start();
    }

    /// A new base is needed.
    void wake() {
        lock.lock();
        try {
            wanted = true;
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// What is under way is broken off by the end of the process, or goes on until its next step.
    @Override
    public void close() {
        lock.lock();
        try {
            closing = true;
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// @return false when this is closed
    private boolean pause() {
        lock.lock();
        try {
            long left = options.housekeeping().toNanos();
            while (left > 0 && !closing && !wanted) {
                left = woken.awaitNanos(left);
            }
            wanted = false;
            return !closing;
        } catch (InterruptedException _) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        do {
            try {
                round();
                state.baseTrouble("");
            } catch (Ownership.Lost | EngineException.Closed _) {
                return; // the archiver tells of it
            } catch (IOException | RuntimeException e) {
                state.failures.incrementAndGet();
                String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
                if (state.baseTrouble(reason)) {
                    LOGGER.log(
                            Level.WARNING,
                            "a base or the tidying of the archive failed: {0}; it is tried again",
                            reason);
                }
            }
        } while (pause());
    }

    /// Looks at all of the archive once.
    void round() throws IOException {
        try (ObjectStore store = place.open("")) {
            owned.requireHeld(store);
            long archived = state.version();
            ArchiveIndex index = ArchiveIndex.read(store, owned.epoch());
            if (isBaseDue(index, archived) && System.nanoTime() - nextBaseNanos >= 0) {
                nextBaseNanos = System.nanoTime()
                        + options.housekeeping().multipliedBy(2).toNanos();
                makeBase(store);
                index = ArchiveIndex.read(store, owned.epoch());
            }
            List<Base> bases = index.usableBases();
            state.base(bases.isEmpty() ? 0 : bases.getLast().millis());
            merge(store, index);
            new Sweep(store, ArchiveIndex.read(store, owned.epoch())).run();
        }
    }

    // Bases.

    private boolean isBaseDue(ArchiveIndex index, long archived) {
        List<Base> bases = index.usableBases();
        if (bases.isEmpty()) {
            return true;
        }
        Base newest = bases.getLast();
        ArchiveIndex.Cover cover = index.cover(newest.version());
        if (cover.end() < archived) {
            return true; // there is a gap behind it
        }
        long bytes =
                cover.steps().stream().mapToLong(step -> step.object().bytes()).sum();
        boolean isOld = clock.millis() - newest.millis() > options.baseAge().toMillis();
        return bytes > Math.max(newest.bytes(), options.leastLogBytes())
                || isOld && !cover.steps().isEmpty();
    }

    private void makeBase(ObjectStore store) throws IOException {
        source.checkpoint((checkpoint, version) -> {
            long millis = clock.millis(); // after the checkpoint: all of it was written before
            try (ObjectStore backups = place.open(ArchiveFormat.BACKUPS);
                    TargetLock held = TargetLock.take(backups, true)) { // this is the owner: another holder is gone
                Backup made = new BackupWriter(backups, held, clock, _ -> {})
                        .write(checkpoint, "lsm")
                        .backup();
                owned.requireHeld(store);
                Base base = new Base(owned.epoch(), version, millis, made.bytes(), made.id());
                store.put(base.name(), ("base " + made.id() + "\n").getBytes(StandardCharsets.UTF_8));
                state.bases.incrementAndGet();
            }
        });
    }

    // Merging.

    private void merge(ObjectStore store, ArchiveIndex index) throws IOException {
        List<LogObject> objects = withoutCovered(store, index.objects());
        for (int tier : TIERS) {
            List<LogObject> after = new ArrayList<>();
            List<LogObject> row = new ArrayList<>();
            for (LogObject object : objects) {
                if (!fits(row, object, options.mergedBytes() / tier)) {
                    after.addAll(merged(store, row));
                    row.clear();
                }
                row.add(object);
            }
            after.addAll(merged(store, row));
            objects = after;
        }
    }

    /// Deletes objects of which another one holds everything: what a merge that was broken off has left.
    private List<LogObject> withoutCovered(ObjectStore store, List<LogObject> objects) throws IOException {
        List<LogObject> longestFirst = new ArrayList<>(objects);
        longestFirst.sort(Comparator.comparingInt(LogObject::epoch)
                .thenComparingLong(LogObject::from)
                .thenComparing(Comparator.comparingLong(LogObject::to).reversed()));
        List<LogObject> kept = new ArrayList<>();
        for (LogObject object : longestFirst) {
            if (!kept.isEmpty() && kept.getLast().covers(object)) {
                delete(store, object.name());
            } else {
                kept.add(object);
            }
        }
        return kept;
    }

    private boolean fits(List<LogObject> row, LogObject next, long smallBytes) {
        if (row.isEmpty()) {
            return true;
        }
        LogObject last = row.getLast();
        long bytes = row.stream().mapToLong(LogObject::bytes).sum() + next.bytes();
        return last.epoch() == next.epoch()
                && last.to() == next.from()
                && last.bytes() < smallBytes
                && next.bytes() < smallBytes
                && bytes <= options.mergedBytes()
                && !unreadable.contains(next.name())
                && !unreadable.contains(last.name());
    }

    /// @return what is there in their place: themselves, where they are too few or cannot be merged
    private List<LogObject> merged(ObjectStore store, List<LogObject> row) throws IOException {
        if (row.size() < Math.max(2, options.mergeCount())) {
            return List.copyOf(row);
        }
        Path file = OwnerFile.folder(source.data()).resolve("merged");
        LogObject merged;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES)) {
            ArchiveFormat.Writer writer = new ArchiveFormat.Writer(
                    out, row.getFirst().epoch(), row.getFirst().from());
            for (LogObject each : row) {
                if (!copy(store, each, writer)) {
                    return List.copyOf(row);
                }
            }
            merged = writer.end();
        }
        owned.requireHeld(store);
        store.put(merged.name(), file, Hashes.of(file));
        Files.deleteIfExists(file);
        for (LogObject each : row) {
            delete(store, each.name());
        }
        state.merged.addAndGet(row.size());
        return List.of(merged);
    }

    private boolean copy(ObjectStore store, LogObject object, ArchiveFormat.Writer writer) throws IOException {
        try (InputStream in = new BufferedInputStream(store.get(object.name()), BUFFER_BYTES)) {
            ArchiveFormat.read(in, object, store.describe(object.name()), writer);
            return true;
        } catch (NoSuchFileException | ArchiveFormat.Damage e) {
            unreadable.add(object.name());
            LOGGER.log(
                    Level.WARNING,
                    "{0} is missing or damaged: a new base is needed, see ''kvant archive verify''",
                    store.describe(object.name()));
            return false;
        }
    }

    private void delete(ObjectStore store, String name) throws IOException {
        owned.requireHeld(store);
        store.delete(name);
        state.deleted.incrementAndGet();
    }

    // Retention.

    /// Deletes what no state needs that can be restored: one of the last `keep`, in the line of this epoch; what is in
    /// other lines goes when it is as old.
    private final class Sweep {

        private final ObjectStore store;
        private final ArchiveIndex index;
        private final long horizon;
        private final TreeSet<Integer> epochs = new TreeSet<>(List.of(owned.epoch()));
        private long first = -1;

        Sweep(ObjectStore store, ArchiveIndex index) {
            this.store = store;
            this.index = index;
            this.horizon = nowMillis(index) - options.keep().toMillis();
        }

        void run() throws IOException {
            List<Base> usable = index.usableBases();
            for (Base base : usable) {
                if (first < 0 || base.millis() <= horizon) {
                    first = base.version(); // the newest that is old enough, or the oldest
                }
            }
            if (first < 0) {
                return;
            }
            sweepBases(usable);
            sweepObjects();
            sweepEpochs();
        }

        private void sweepBases(List<Base> usable) throws IOException {
            Set<Base> needed = new HashSet<>(usable);
            needed.removeIf(base -> base.version() < first);
            List<Base> old = new ArrayList<>();
            Set<String> marked = new HashSet<>();
            for (Base base : index.bases()) {
                if (needed.contains(base) || base.millis() >= horizon) {
                    epochs.add(base.epoch());
                    marked.add(base.id());
                } else {
                    old.add(base);
                }
            }
            if (old.isEmpty()) {
                return;
            }
            String newest = usable.getLast().id();
            try (ObjectStore backups = place.open(ArchiveFormat.BACKUPS);
                    TargetLock held = TargetLock.take(backups, true)) {
                for (Backup backup : Catalog.read(backups).backups()) {
                    if (!marked.contains(backup.id()) && backup.id().compareTo(newest) < 0) {
                        owned.requireHeld(store);
                        new Retention(backups, held).delete(backup.id());
                    }
                }
            }
            for (Base base : old) { // last, so that a sweep that is broken off is repeated
                delete(store, base.name());
            }
        }

        private void sweepObjects() throws IOException {
            Set<LogObject> needed = new HashSet<>();
            for (ArchiveIndex.Step step : index.lineObjects()) {
                if (step.until() > first) {
                    needed.add(step.object());
                }
            }
            for (LogObject object : index.objects()) {
                if (needed.contains(object) || object.lastMillis() >= horizon) {
                    epochs.add(object.epoch());
                } else {
                    delete(store, object.name());
                }
            }
        }

        /// Those before the oldest that has anything, oldest first: a process that has lost the archive misses its own.
        private void sweepEpochs() throws IOException {
            for (String folder : List.of(ArchiveFormat.EPOCHS, ArchiveFormat.BEGINNINGS)) {
                for (String name : store.list(folder).keySet()) {
                    if (name.matches("\\d{8}") && Integer.parseInt(name) < epochs.first()) {
                        delete(store, folder + "/" + name);
                    }
                }
            }
        }
    }

    /// The time, by which a clock that has jumped has nothing deleted: it goes on from when this began, and that is not
    /// later than the newest time in the archive.
    private long nowMillis(ArchiveIndex index) {
        if (beganMillis < 0) {
            long newest = -1;
            for (ArchiveIndex.Step step : index.lineObjects()) {
                newest = Math.max(newest, step.object().lastMillis());
            }
            for (Base base : index.usableBases()) {
                newest = Math.max(newest, base.millis());
            }
            beganMillis = newest < 0 ? clock.millis() : Math.min(newest, clock.millis());
        }
        return beganMillis + Duration.ofNanos(System.nanoTime() - beganNanos).toMillis();
    }
}
