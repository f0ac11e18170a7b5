package kvant.lsm.version;

import java.util.List;
import kvant.lsm.bytes.Keys;
import org.jspecify.annotations.Nullable;

/// The input of compaction decisions: the runs of a version and the properties of their tables. Plain data, so
/// that decisions can be tested and simulated without files.
///
/// @param runs newest first
public record Shape(List<RunShape> runs) {

    /// One sorted run.
    ///
    /// @param tables by key, none overlapping another
    public record RunShape(long id, List<TableShape> tables) {

        public RunShape {
            tables = List.copyOf(tables);
        }

        public int level() {
            return Levels.levelOf(id);
        }

        public long bytes() {
            long bytes = 0;
            for (TableShape table : tables) {
                bytes += table.bytes();
            }
            return bytes;
        }

        /// The tables that may hold a key of this range, both ends inclusive.
        public List<TableShape> overlapping(byte[] smallest, byte[] largest) {
            int first = 0;
            while (first < tables.size() && Keys.compare(tables.get(first).largestKey(), smallest) < 0) {
                first++;
            }
            int end = first;
            while (end < tables.size() && Keys.compare(tables.get(end).smallestKey(), largest) <= 0) {
                end++;
            }
            return tables.subList(first, end);
        }
    }

    /// One table.
    ///
    /// @param number of its file
    /// @param deletions how many of its records are deletions
    /// @param expiringBytes of records that expire
    /// @param medianExpiryMillis about when half of these will have expired; 0 where there are none
    public record TableShape(
            long number,
            byte[] smallestKey,
            byte[] largestKey,
            long bytes,
            long records,
            long deletions,
            long expiringBytes,
            long medianExpiryMillis) {

        /// Whether enough of it has expired to be worth rewriting: at least an eighth of the file.
        public boolean isMostlyExpired(long nowMillis) {
            return expiringBytes > 0 && medianExpiryMillis <= nowMillis && expiringBytes * 4 >= bytes;
        }
    }

    public Shape {
        runs = List.copyOf(runs);
    }

    /// The runs of level 0, newest first.
    public List<RunShape> levelZero() {
        return runs.stream().filter(run -> run.level() == 0).toList();
    }

    /// The run that is this level, from 1 on; null where the level is empty.
    public @Nullable RunShape level(int level) {
        long id = Levels.runOf(level);
        for (RunShape run : runs) {
            if (run.id() == id) {
                return run;
            }
        }
        return null;
    }

    /// The tables of the next level that holds anything, which those of a run are merged with later; none beneath a run
    /// of level 0, which is merged as a whole.
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

    /// The table of this number.
    ///
    /// @throws IllegalArgumentException where there is none
    public TableShape table(long number) {
        for (RunShape run : runs) {
            for (TableShape table : run.tables()) {
                if (table.number() == number) {
                    return table;
                }
            }
        }
        throw new IllegalArgumentException("no table " + number);
    }

    public long bytes() {
        long bytes = 0;
        for (RunShape run : runs) {
            bytes += run.bytes();
        }
        return bytes;
    }
}
