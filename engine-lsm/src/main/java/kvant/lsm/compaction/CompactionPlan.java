package kvant.lsm.compaction;

import java.util.ArrayList;
import java.util.List;
import kvant.lsm.version.Shape.RunShape;
import kvant.lsm.version.Shape.TableShape;

/// A decision of the picker.
public sealed interface CompactionPlan {

    CompactionPlan REST = new Rest();

    /// The numbers of all tables that take part.
    List<Long> tables();

    /// The run that takes the tables.
    long outputRun();

    /// No work.
    record Rest() implements CompactionPlan {

        @Override
        public List<Long> tables() {
            return List.of();
        }

        @Override
        public long outputRun() {
            throw new IllegalStateException("rest brings nothing anywhere");
        }
    }

    /// Merge these tables into new ones of one run.
    ///
    /// @param inputs from the newest run to the oldest
    /// @param outputRun the run that takes the new tables
    /// @param cuts keys, ascending, at which a new table begins in any case
    record Merge(List<Input> inputs, long outputRun, List<byte[]> cuts) implements CompactionPlan {

        public Merge {
            inputs = List.copyOf(inputs);
            cuts = List.copyOf(cuts);
        }

        /// All tables of some runs, from the newest run to the oldest.
        static Merge of(List<RunShape> runs, long outputRun) {
            return new Merge(runs.stream().map(Input::of).toList(), outputRun);
        }

        /// A table alone, which stays in its run.
        static Merge alone(RunShape run, TableShape table) {
            return new Merge(List.of(Input.of(run.id(), List.of(table))), run.id());
        }

        /// A merge whose tables are cut by size alone.
        public Merge(List<Input> inputs, long outputRun) {
            this(inputs, outputRun, List.of());
        }

        @Override
        public List<Long> tables() {
            List<Long> tables = new ArrayList<>();
            inputs.forEach(input -> tables.addAll(input.tables()));
            return tables;
        }
    }

    /// Make these tables part of another run as they are: nothing in that run overlaps them.
    record Move(List<Long> tables, long outputRun) implements CompactionPlan {

        public Move {
            tables = List.copyOf(tables);
        }
    }

    /// Some tables of one run.
    ///
    /// @param tables numbers, by key
    record Input(long run, List<Long> tables) {

        public Input {
            tables = List.copyOf(tables);
        }

        static Input of(RunShape run) {
            return of(run.id(), run.tables());
        }

        static Input of(long run, List<TableShape> tables) {
            return new Input(run, tables.stream().map(TableShape::number).toList());
        }
    }
}
