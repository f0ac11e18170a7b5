package kvant.archive;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.archive.EpochFormat.Epoch;
import kvant.backup.ObjectStore;
import org.jspecify.annotations.Nullable;

/// The content of an archive at the time of a read, seen from one epoch.
///
/// Format document: docs/formats/archive.md
///
/// @param line the epoch and its ancestors, oldest first
/// @param objects with changes, of all lines, by epoch and version; of several that begin at a version the longest
/// first
/// @param bases of all lines, by version
public record ArchiveIndex(List<Segment> line, List<LogObject> objects, List<Base> bases) {

    /// An epoch of a line.
    ///
    /// @param from the version behind which it continues
    /// @param until the last version that counts of it: the next one continues behind it
    /// @param by host and process that wrote it
    public record Segment(int epoch, long from, long until, String by) {}

    /// An object with the changes between two versions, as its name tells it.
    ///
    /// @param epoch in which it was written
    /// @param from the version before its first change
    /// @param to the version of its last change
    /// @param firstMillis the smallest of the times of its changes
    /// @param lastMillis the largest of them
    /// @param bytes of the object
    public record LogObject(int epoch, long from, long to, long firstMillis, long lastMillis, long bytes) {

        private static final Pattern NAME = Pattern.compile("(\\d{8})-(\\d{17})-(\\d{17})-(\\d{15})-(\\d{15})");

        /// The object of a name in the folder of logs, or null where it is another file.
        static @Nullable LogObject of(String name, long bytes) {
            Matcher parts = NAME.matcher(name);
            return parts.matches()
                    ? new LogObject((int) at(parts, 1), at(parts, 2), at(parts, 3), at(parts, 4), at(parts, 5), bytes)
                    : null;
        }

        /// The name with its folder.
        String name() {
            return String.format(
                    Locale.ROOT, "log/%08d-%017d-%017d-%015d-%015d", epoch, from, to, firstMillis, lastMillis);
        }

        /// Whether it holds all that another one holds.
        boolean covers(LogObject other) {
            return epoch == other.epoch && from <= other.from && to >= other.to && !equals(other);
        }
    }

    /// A backup to which changes are added, as the name of its mark tells it.
    ///
    /// @param epoch in which it was made
    /// @param version of the newest change in it
    /// @param millis when it was made: all of it was written before
    /// @param bytes of the store that it restores
    /// @param id of the backup
    public record Base(int epoch, long version, long millis, long bytes, String id) {

        private static final Pattern NAME = Pattern.compile("(\\d{8})-(\\d{17})-(\\d{15})-(\\d{15})-(\\d{8}T\\d{9}Z)");

        /// The base of a name in the folder of marks, or null where it is another file.
        static @Nullable Base of(String name, long markBytes) {
            Matcher parts = NAME.matcher(name);
            return parts.matches()
                    ? new Base((int) at(parts, 1), at(parts, 2), at(parts, 3), at(parts, 4), parts.group(5))
                    : null;
        }

        /// The name with its folder.
        String name() {
            return String.format(Locale.ROOT, "bases/%08d-%017d-%015d-%015d-%s", epoch, version, millis, bytes, id);
        }
    }

    /// An object to be read, up to a version.
    record Step(LogObject object, long until) {}

    /// Consecutive objects without a gap.
    ///
    /// @param end version reached by them
    record Cover(List<Step> steps, long end) {

        long bytes() {
            return steps.stream().mapToLong(step -> step.object().bytes()).sum();
        }
    }

    /// A range of versions, from that of a base on, each of which can be restored.
    ///
    /// @param toMillis time of the last change
    public record Span(long from, long to, long fromMillis, long toMillis, int objects, long bytes) {}

    public ArchiveIndex {
        line = List.copyOf(line);
        objects = List.copyOf(objects);
        bases = List.copyOf(bases);
    }

    private static long at(Matcher parts, int group) {
        return Long.parseLong(parts.group(group));
    }

    /// Whether a place holds an archive, and not backups.
    public static boolean isArchive(ObjectStore store) throws IOException {
        return EpochFormat.identity(store) != null;
    }

    /// @param tip newest epoch of the line; 0 for the newest of all
    public static ArchiveIndex read(ObjectStore store, int tip) throws IOException {
        // The order matters: a merged object is stored before its parts are deleted.
        List<Segment> line = line(store, tip);
        List<Base> bases = list(store, ArchiveFormat.BASES, Base::of);
        bases.sort(Comparator.comparingLong(Base::version).thenComparing(Base::id));
        return new ArchiveIndex(line, objects(store), bases);
    }

    static List<LogObject> objects(ObjectStore store) throws IOException {
        List<LogObject> objects = list(store, ArchiveFormat.LOGS, LogObject::of);
        objects.sort(Comparator.comparingInt(LogObject::epoch)
                .thenComparingLong(LogObject::from)
                .thenComparing(Comparator.comparingLong(LogObject::to).reversed()));
        return objects;
    }

    private static <T> List<T> list(ObjectStore store, String folder, BiFunction<String, Long, @Nullable T> of)
            throws IOException {
        List<T> found = new ArrayList<>();
        store.list(folder).forEach((name, bytes) -> {
            T each = of.apply(name, bytes);
            if (each != null) {
                found.add(each);
            }
        });
        return found;
    }

    private static List<Segment> line(ObjectStore store, int tip) throws IOException {
        List<Segment> newestFirst = new ArrayList<>();
        long until = Long.MAX_VALUE;
        Epoch epoch = tip == 0 ? Ownership.newest(store) : EpochFormat.epoch(store, tip);
        while (epoch != null) {
            Long from = EpochFormat.beginning(store, epoch.number());
            if (from != null) { // otherwise it ended before it wrote anything
                newestFirst.add(new Segment(epoch.number(), from, until, epoch.by()));
                until = Math.min(until, from);
            }
            boolean isFirst = epoch.parent() == 0 || epoch.parent() >= epoch.number();
            epoch = isFirst ? null : EpochFormat.epoch(store, epoch.parent());
        }
        return newestFirst.reversed();
    }

    /// The objects that follow a version without a gap; of several that fit, the one that leads furthest.
    Cover cover(long from) {
        List<Step> steps = new ArrayList<>();
        long end = from;
        Step best = null;
        for (Step next : lineObjects()) {
            if (next.object().from() > end && best != null) {
                steps.add(best);
                end = best.until();
                best = null;
            }
            if (next.object().from() > end) {
                break;
            }
            if (next.until() > end && (best == null || next.until() > best.until())) {
                best = next;
            }
        }
        if (best != null) {
            steps.add(best);
            end = best.until();
        }
        return new Cover(steps, end);
    }

    /// The spans of the line without a gap, oldest first.
    public List<Span> spans() {
        List<Span> spans = new ArrayList<>();
        for (Base base : usableBases()) {
            if (spans.isEmpty() || base.version() > spans.getLast().to()) { // else it is within the last one
                Cover cover = cover(base.version());
                int steps = cover.steps().size();
                long toMillis = steps == 0
                        ? base.millis()
                        : cover.steps().getLast().object().lastMillis();
                spans.add(new Span(base.version(), cover.end(), base.millis(), toMillis, steps, cover.bytes()));
            }
        }
        return spans;
    }

    /// Whether the newest version can be restored.
    public boolean isWhole() {
        List<Span> spans = spans();
        return !spans.isEmpty() && spans.getLast().to() >= newest();
    }

    /// Host and process that wrote the line last; empty without an epoch.
    public String by() {
        return line.isEmpty() ? "" : line.getLast().by();
    }

    /// The bases of the line, oldest first.
    public List<Base> usableBases() {
        Map<Integer, Long> untils = new HashMap<>();
        line.forEach(segment -> untils.put(segment.epoch(), segment.until()));
        return bases.stream()
                .filter(base -> base.version() <= untils.getOrDefault(base.epoch(), -1L))
                .toList();
    }

    /// The objects of the line, ordered by first version: an epoch begins where the one before it ends.
    List<Step> lineObjects() {
        List<Step> steps = new ArrayList<>();
        for (Segment segment : line) {
            objects.stream()
                    .filter(object -> object.epoch() == segment.epoch() && object.from() < segment.until())
                    .forEach(object -> steps.add(new Step(object, Math.min(object.to(), segment.until()))));
        }
        return steps;
    }

    /// The newest version named in the line, restorable or not; 0 if it is empty.
    public long newest() {
        return Math.max(
                lineObjects().stream().mapToLong(Step::until).max().orElse(0),
                usableBases().stream().mapToLong(Base::version).max().orElse(0));
    }
}
