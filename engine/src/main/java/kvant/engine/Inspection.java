package kvant.engine;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A snapshot of a store's contents, for operators.
///
/// @param engine its stable name
/// @param figures of the store as a whole
/// @param runs sorted runs, newest first
/// @param tables in the order of their runs and keys
/// @param logs oldest first
public record Inspection(
        String engine, List<Figure> figures, List<Content> runs, List<Content> tables, List<Log> logs) {

    /// The unit of a figure.
    public enum Unit {
        COUNT,
        BYTES,
        RATIO,
        SECONDS
    }

    /// A figure of the store as a whole.
    ///
    /// @param name stable, in words of lower case with underscores
    public record Figure(String name, Unit unit, double value) {}

    /// A level, a run or a table.
    ///
    /// @param level from 0, the newest
    /// @param name of the run or of the table's file
    /// @param tables how many files it consists of
    /// @param firstSequence of the oldest record in it, 0 when it has none
    /// @param lastSequence of the newest
    public record Content(
            int level,
            String name,
            long tables,
            long bytes,
            long records,
            long deletions,
            long firstSequence,
            long lastSequence) {

        /// The sum of both.
        ///
        /// @param newName of the sum
        public Content plus(Content other, String newName) {
            boolean alone = records == 0 || other.records == 0;
            return new Content(
                    level,
                    newName,
                    tables + other.tables,
                    bytes + other.bytes,
                    records + other.records,
                    deletions + other.deletions,
                    alone ? firstSequence + other.firstSequence : Math.min(firstSequence, other.firstSequence),
                    Math.max(lastSequence, other.lastSequence));
        }
    }

    /// A log that may hold what no table holds yet.
    ///
    /// @param bytes that were written to it; its file may be larger
    public record Log(String name, long bytes) {}

    public Inspection {
        figures = List.copyOf(figures);
        runs = List.copyOf(runs);
        tables = List.copyOf(tables);
        logs = List.copyOf(logs);
    }

    /// The levels that hold anything, the newest first. Their names say how many runs they are.
    public List<Content> levels() {
        SortedMap<Integer, Content> levels = new TreeMap<>();
        for (Content run : runs) {
            Content before = levels.get(run.level());
            long runsOfLevel = before == null ? 1 : Long.parseLong(before.name()) + 1;
            Content empty = new Content(run.level(), "", 0, 0, 0, 0, 0, 0);
            levels.put(run.level(), (before == null ? empty : before).plus(run, Long.toString(runsOfLevel)));
        }
        return List.copyOf(levels.values());
    }
}
