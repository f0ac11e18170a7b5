package kvant.archive;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import kvant.archive.ArchiveIndex.Base;
import kvant.archive.ArchiveIndex.LogObject;
import kvant.backup.Backup;
import kvant.backup.BackupWriter;
import kvant.backup.Catalog;
import kvant.backup.Hashes;
import kvant.backup.ObjectStore;
import kvant.backup.Retention;
import kvant.backup.TargetLock;
import kvant.text.UserException;

/// Makes bases, merges small objects into longer ones, and deletes what no restore needs. A replacement is put
/// before what it covers is deleted: a broken-off step leaves more than is needed, and the next look finds it.
/// Has a thread of its own, because a base may take hours.
final class Housekeeper {

    private static final Logger LOGGER = System.getLogger(Housekeeper.class.getName());

    /// Objects are small below these fractions of the largest merged size. A change is rewritten once for each of them.
    private static final List<Integer> TIERS = List.of(1024, 32, 1);

    // Constant.
    final Rounds rounds;
    private final ArchiveState state;
    private final ArchiveOptions options;
    private final Ownership owned;

    // One thread.
    private final Set<String> unreadable = new HashSet<>();
    private final long beganNanos = System.nanoTime();
    private long beganMillis = -1;

    Housekeeper(ArchiveState state, Ownership owned) {
        this.state = state;
        this.options = state.options;
        this.owned = owned;
        this.rounds = new Rounds(
                "kvant-archive-base",
                options.housekeeping(),
                options.housekeeping(),
                last -> last ? Rounds.Result.OVER : state.attempt(state.bases, this::round));
    }

    /// One look at the whole archive.
    void round() throws IOException {
        try (ObjectStore store = state.place.open("")) {
            owned.requireHeld(store);
            long archived = state.version;
            ArchiveIndex index = ArchiveIndex.read(store, owned.epoch());
            if (isBaseDue(index, archived)) {
                makeBase(store);
                index = ArchiveIndex.read(store, owned.epoch());
            }
            List<Base> bases = index.usableBases();
            state.baseMillis = bases.isEmpty() ? 0 : bases.getLast().millis();
            merge(store, index);
            sweep(store, ArchiveIndex.read(store, owned.epoch()));
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
        boolean isBeforeGap = cover.end() < archived;
        boolean isOld =
                state.clock.millis() - newest.millis() > options.baseAge().toMillis();
        return isBeforeGap
                || cover.bytes() > Math.max(newest.bytes(), options.leastLogBytes())
                || isOld && !cover.steps().isEmpty();
    }

    private void makeBase(ObjectStore store) throws IOException {
        state.source.checkpoint((checkpoint, version) -> {
            // After the checkpoint: all of it was written before.
            long millis = Math.clamp(state.clock.millis(), 0, ArchiveFormat.MOST_MILLIS);
            try (ObjectStore backups = state.place.open(ArchiveFormat.BACKUPS);
                    TargetLock held = TargetLock.take(backups, true)) { // this is the owner: another holder is gone
                Backup made = new BackupWriter(backups, held, state.clock, _ -> {})
                        .write(checkpoint, "lsm")
                        .backup();
                owned.requireHeld(store);
                Base base = new Base(owned.epoch(), version, millis, made.bytes(), made.id());
                store.put(base.name(), ("base " + made.id() + "\n").getBytes(StandardCharsets.UTF_8));
                state.basesMade.incrementAndGet();
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

    /// Deletes objects of which another one holds everything: an earlier round has merged them. Until then a
    /// reader finds what it has listed.
    private List<LogObject> withoutCovered(ObjectStore store, List<LogObject> objects) throws IOException {
        List<LogObject> kept = new ArrayList<>();
        for (LogObject object : objects) { // of several that begin at a version, the longest comes first
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

    /// @return the merged object; the row itself where it is too short or has a damaged object
    private List<LogObject> merged(ObjectStore store, List<LogObject> row) throws IOException {
        if (row.size() < Math.max(2, options.mergeCount())) {
            return List.copyOf(row);
        }
        Path file = OwnerFile.folder(state.source.data()).resolve("merged");
        LogObject merged;
        try {
            merged = ArchiveFormat.write(
                    file, row.getFirst().epoch(), row.getFirst().from(), writer -> {
                        for (LogObject each : row) {
                            copy(store, each, writer);
                        }
                    });
        } catch (UserException e) {
            LOGGER.log(Level.WARNING, "a new base is needed, see ''kvant archive verify'': {0}", e.getMessage());
            return List.copyOf(row);
        }
        owned.requireHeld(store);
        store.put(merged.name(), file, Hashes.of(file));
        Files.deleteIfExists(file);
        state.merged.addAndGet(row.size());
        return List.of(merged);
    }

    private void copy(ObjectStore store, LogObject object, ArchiveFormat.Writer writer) throws IOException {
        try {
            ArchiveRestore.read(store, object, writer);
        } catch (UserException e) {
            unreadable.add(object.name());
            throw e;
        }
    }

    private void delete(ObjectStore store, String name) throws IOException {
        owned.requireHeld(store);
        store.delete(name);
        state.deleted.incrementAndGet();
    }

    // Retention.

    /// Deletes objects and bases that no state of the last `keep` in the line of this epoch needs. Those of other
    /// lines are deleted when they are as old.
    private void sweep(ObjectStore store, ArchiveIndex index) throws IOException {
        List<Base> usable = index.usableBases();
        if (usable.isEmpty()) {
            return;
        }
        Set<Object> kept = kept(index, usable, nowMillis(index) - options.keep().toMillis());
        if (!kept.containsAll(index.bases())) {
            Set<String> marked = new HashSet<>();
            index.bases().stream().filter(kept::contains).forEach(base -> marked.add(base.id()));
            sweepBackups(store, marked, usable.getLast().id());
        }
        for (Base base : index.bases()) { // after its backup, so that the next sweep finds what this one leaves
            if (!kept.contains(base)) {
                delete(store, base.name());
            }
        }
        for (LogObject object : index.objects()) {
            if (!kept.contains(object)) {
                delete(store, object.name());
            }
        }
        Stream<Integer> epochs = Stream.concat(
                index.bases().stream().filter(kept::contains).map(Base::epoch),
                index.objects().stream().filter(kept::contains).map(LogObject::epoch));
        sweepEpochs(store, epochs.reduce(owned.epoch(), Math::min));
    }

    /// The bases and objects that are needed, or younger than a time.
    private static Set<Object> kept(ArchiveIndex index, List<Base> usable, long horizon) {
        long first = usable.stream() // the newest that is old enough, or the oldest
                .filter(base -> base.millis() <= horizon)
                .mapToLong(Base::version)
                .max()
                .orElse(usable.getFirst().version());
        Set<Object> kept = new HashSet<>();
        usable.stream().filter(base -> base.version() >= first).forEach(kept::add);
        for (ArchiveIndex.Step step : index.lineObjects()) {
            if (step.until() > first) {
                kept.add(step.object());
            }
        }
        index.bases().stream().filter(base -> base.millis() >= horizon).forEach(kept::add);
        index.objects().stream().filter(each -> each.lastMillis() >= horizon).forEach(kept::add);
        return kept;
    }

    /// Also deletes backups without a mark, which broken-off bases have left.
    private void sweepBackups(ObjectStore store, Set<String> marked, String newest) throws IOException {
        try (ObjectStore backups = state.place.open(ArchiveFormat.BACKUPS);
                TargetLock held = TargetLock.take(backups, true)) {
            for (Backup backup : Catalog.read(backups).backups()) {
                if (!marked.contains(backup.id()) && backup.id().compareTo(newest) < 0) {
                    owned.requireHeld(store);
                    new Retention(backups, held).delete(backup.id());
                }
            }
        }
    }

    /// Deletes the oldest first: a process that has lost the archive then misses its own.
    private void sweepEpochs(ObjectStore store, int oldestNeeded) throws IOException {
        for (String folder : List.of(ArchiveFormat.EPOCHS, ArchiveFormat.BEGINNINGS)) {
            for (String name : store.list(folder).keySet()) {
                if (name.matches("\\d{8}") && Integer.parseInt(name) < oldestNeeded) {
                    delete(store, folder + "/" + name);
                }
            }
        }
    }

    /// The time for retention. It runs from the start of this, which counts as no later than the newest time in the
    /// archive: so a clock that has jumped has nothing deleted.
    private long nowMillis(ArchiveIndex index) {
        if (beganMillis < 0) {
            long newest = LongStream.concat(
                            index.lineObjects().stream()
                                    .mapToLong(step -> step.object().lastMillis()),
                            index.usableBases().stream().mapToLong(Base::millis))
                    .max()
                    .orElse(Long.MAX_VALUE);
            beganMillis = Math.min(newest, state.clock.millis());
        }
        return beganMillis + Duration.ofNanos(System.nanoTime() - beganNanos).toMillis();
    }
}
