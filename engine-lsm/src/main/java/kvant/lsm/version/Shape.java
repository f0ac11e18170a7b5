package kvant.lsm.version;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import kvant.lsm.bytes.Keys;
import kvant.lsm.value.ValueReference;
import org.jspecify.annotations.Nullable;

/// The input of compaction decisions: the runs of a version and the properties of their tables. Plain data, so
/// that decisions can be tested and simulated without files.
///
/// @param runs newest first
/// @param valueFiles that their tables refer to
public record Shape(List<RunShape> runs, List<ValueShape> valueFiles) {

    /// A value file.
    ///
    /// @param number of the file
    /// @param bytes of its records
    public record ValueShape(long number, long bytes) {}

    /// A sorted run. Its sums are computed once: a picker asks for them several times for each decision.
    public static final class RunShape {

        private final long id;
        private final List<TableShape> tables;
        private final long bytes;
        private final long weight;

        /// @param tables by key, none overlapping another
        public RunShape(long id, List<TableShape> tables) {
            this.id = id;
            this.tables = List.copyOf(tables);
            long bytes = 0;
            long weight = 0;
            for (TableShape table : this.tables) {
                bytes += table.bytes();
                weight += table.weight();
            }
            this.bytes = bytes;
            this.weight = weight;
        }

        public long id() {
            return id;
        }

        public List<TableShape> tables() {
            return tables;
        }

        public int level() {
            return Levels.levelOf(id);
        }

        public long bytes() {
            return bytes;
        }

        /// Size of its tables and of the values that they refer to.
        public long weight() {
            return weight;
        }

        /// The tables that may hold a key of this range, both ends inclusive. The first one by binary search: a picker
        /// asks for those of the next level for each table of a level.
        public List<TableShape> overlapping(byte[] smallest, byte[] largest) {
            int first = firstEndingAt(smallest);
            int end = first;
            while (end < tables.size() && Keys.compare(tables.get(end).smallestKey(), largest) <= 0) {
                end++;
            }
            return tables.subList(first, end);
        }

        /// The first table that ends at a key or behind it.
        private int firstEndingAt(byte[] key) {
            int first = 0;
            int high = tables.size();
            while (first < high) {
                int middle = (first + high) >>> 1;
                if (Keys.compare(tables.get(middle).largestKey(), key) < 0) {
                    first = middle + 1;
                } else {
                    high = middle;
                }
            }
            return first;
        }
    }

    /// A table's part in a shape.
    ///
    /// @param number of its file
    /// @param deletions number of deletions among its records
    /// @param expiringBytes of records that expire
    /// @param medianExpiryMillis approximate time at which half of these will have expired; 0 where there are none
    /// @param values its references to value files
    public record TableShape(
            long number,
            byte[] smallestKey,
            byte[] largestKey,
            long bytes,
            long records,
            long deletions,
            long expiringBytes,
            long medianExpiryMillis,
            List<ValueReference> values) {

        /// Its size, and that of the values that it refers to: the amount of data beneath its keys.
        public long weight() {
            long weight = bytes;
            for (ValueReference each : values) {
                weight += each.bytes();
            }
            return weight;
        }

        /// Whether enough of its data has expired to be worth rewriting: at least an eighth of the file.
        public boolean isMostlyExpired(long nowMillis) {
            return expiringBytes > 0 && medianExpiryMillis <= nowMillis && expiringBytes * 4 >= bytes;
        }
    }

    public Shape {
        runs = List.copyOf(runs);
        valueFiles = List.copyOf(valueFiles);
    }

    /// A shape of tables that hold all of their values.
    public Shape(List<RunShape> runs) {
        this(runs, List.of());
    }

    /// The runs of level 0, newest first.
    public List<RunShape> levelZero() {
        return runs.stream().filter(run -> run.level() == 0).toList();
    }

    /// The run of this level, from 1 on; null where the level is empty.
    public @Nullable RunShape level(int level) {
        long id = Levels.runOf(level);
        for (RunShape run : runs) {
            if (run.id() == id) {
                return run;
            }
        }
        return null;
    }

    /// The tables of the next non-empty level, with which the tables of a run are merged later; none beneath a run of
    /// level 0, which is merged as a whole.
    public List<TableShape> beneath(long run) {
        int level = Levels.levelOf(run);
        for (int deeper = level + 1; level > 0 && deeper <= Levels.LAST; deeper++) {
            RunShape next = level(deeper);
            if (next != null) {
                return next.tables();
            }
        }
        return List.of();
    }

    /// The tables of these numbers, by run and then by key. All at once: one by one, each would take a pass over all
    /// tables, and a merge has thousands.
    ///
    /// @throws IllegalArgumentException where one is not there
    public List<TableShape> tables(Collection<Long> numbers) {
        Set<Long> left = new HashSet<>(numbers);
        List<TableShape> tables = new ArrayList<>();
        for (RunShape run : runs) {
            for (TableShape table : run.tables()) {
                if (left.remove(table.number())) {
                    tables.add(table);
                }
            }
        }
        if (!left.isEmpty()) {
            throw new IllegalArgumentException("no tables " + left);
        }
        return tables;
    }

    public long bytes() {
        return runs.stream().mapToLong(RunShape::bytes).sum();
    }

    /// Called for each table of a level by each pick.
    public static long bytesOf(Collection<TableShape> tables) {
        long bytes = 0;
        for (TableShape table : tables) {
            bytes += table.bytes();
        }
        return bytes;
    }

    /// Whether one of these tables has one of these numbers.
    public static boolean isAny(Collection<TableShape> tables, Set<Long> numbers) {
        return tables.stream().anyMatch(table -> numbers.contains(table.number()));
    }
}
