package kvant.archive;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kvant.archive.EpochFormat.Epoch;
import kvant.backup.ObjectStore;

/// What an archive holds, as it was when it was read, seen from one epoch: its line.
///
/// @param line the epochs that the newest state goes back to, oldest first, each with the versions that count of it
/// @param objects all that hold changes, also of other lines
/// @param bases all, also of other lines
public record ArchiveIndex(List<Segment> line, List<LogObject> objects, List<Base> bases) {

    /// An epoch of a line.
    ///
    /// @param from the version behind which it goes on
    /// @param until the last version that counts of it: the next one goes on behind it
    /// @param by host and process that wrote it
    public record Segment(int epoch, long from, long until, String by) {}

    /// An object to be read, and up to where.
    record Step(LogObject object, long until) {}

    /// Objects that follow each other without a gap.
    ///
    /// @param end the version that they lead to
    record Cover(List<Step> steps, long end) {}

    public ArchiveIndex {
        line = List.copyOf(line);
        objects = List.copyOf(objects);
        bases = List.copyOf(bases);
    }

    /// Whether a place holds an archive, and not backups.
    public static boolean isArchive(ObjectStore store) throws IOException {
        return EpochFormat.identity(store) != null;
    }

    /// @param tip the epoch to look from; 0 for the newest
    public static ArchiveIndex read(ObjectStore store, int tip) throws IOException {
        // The order matters: an object that merges others is put before these are deleted.
        List<Segment> line = line(store, tip);
        List<Base> bases = new ArrayList<>();
        for (String name : store.list(ArchiveFormat.BASES).keySet()) {
            Base base = Base.of(name);
            if (base != null) {
                bases.add(base);
            }
        }
        List<LogObject> objects = new ArrayList<>();
        for (var each : store.list(ArchiveFormat.LOGS).entrySet()) {
            LogObject object = LogObject.of(each.getKey(), each.getValue());
            if (object != null) {
                objects.add(object);
            }
        }
        objects.sort(Comparator.comparingInt(LogObject::epoch)
                .thenComparingLong(LogObject::from)
                .thenComparingLong(LogObject::to));
        bases.sort(Comparator.comparingLong(Base::version).thenComparing(Base::id));
        return new ArchiveIndex(line, objects, bases);
    }

    private static List<Segment> line(ObjectStore store, int tip) throws IOException {
        List<Segment> newestFirst = new ArrayList<>();
        long until = Long.MAX_VALUE;
        Epoch epoch = tip == 0 ? Ownership.newest(store) : EpochFormat.epoch(store, tip);
        while (epoch != null) {
            Long from = EpochFormat.beginning(store, epoch.number());
            if (from != null) { // else it was broken off before it wrote anything
                newestFirst.add(new Segment(epoch.number(), from, until, epoch.by()));
                until = Math.min(until, from);
            }
            epoch = epoch.parent() == 0 || epoch.parent() >= epoch.number()
                    ? null
                    : EpochFormat.epoch(store, epoch.parent());
        }
        return newestFirst.reversed();
    }

    /// The objects that lead on from a version for as far as there is no gap; of several, those that lead the furthest.
    Cover cover(long from) {
        List<Step> steps = new ArrayList<>();
        long at = from;
        for (Segment segment : line) {
            if (segment.until() > at) {
                at = cover(segment, at, steps);
                if (at < segment.until()) {
                    break;
                }
            }
        }
        return new Cover(steps, at);
    }

    private long cover(Segment segment, long from, List<Step> steps) {
        long at = from;
        Step best = null;
        for (LogObject object : objects) { // by their first versions
            if (object.epoch() != segment.epoch()) {
                continue;
            }
            if (object.from() > at && best != null) {
                steps.add(best);
                at = best.until();
                best = null;
            }
            if (object.from() > at) {
                return at;
            }
            long until = Math.min(object.to(), segment.until());
            if (until > at && (best == null || until > best.until())) {
                best = new Step(object, until);
            }
        }
        if (best != null) {
            steps.add(best);
            at = best.until();
        }
        return at;
    }

    /// The bases of the line, oldest first.
    List<Base> usableBases() {
        Map<Integer, Segment> segments = new HashMap<>();
        line.forEach(segment -> segments.put(segment.epoch(), segment));
        return bases.stream()
                .filter(base -> {
                    Segment segment = segments.get(base.epoch());
                    return segment != null && base.version() <= segment.until();
                })
                .toList();
    }

    /// The objects of the line, in the order of their versions.
    List<Step> lineObjects() {
        List<Step> steps = new ArrayList<>();
        for (Segment segment : line) {
            for (LogObject object : objects) {
                if (object.epoch() == segment.epoch() && object.from() < segment.until()) {
                    steps.add(new Step(object, Math.min(object.to(), segment.until())));
                }
            }
        }
        return steps;
    }

    /// The newest version that the line names, whether it can be restored or not; 0 where it is empty.
    long newest() {
        long newest = 0;
        for (Step step : lineObjects()) {
            newest = Math.max(newest, step.until());
        }
        for (Base base : usableBases()) {
            newest = Math.max(newest, base.version());
        }
        return newest;
    }
}
