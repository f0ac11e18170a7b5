package kvant.cli.store;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import kvant.engine.directory.ExaminedDirectory;
import kvant.lsm.LsmEngine;
import kvant.lsm.operate.StoreCheck;
import kvant.lsm.storage.Damage;
import kvant.rocksdb.RocksDbCheck;
import kvant.text.Json;
import kvant.text.Units;
import org.jspecify.annotations.Nullable;

/// Prints what a check finds, as it is found: memory is bounded, however much that is. Belongs to one thread.
abstract sealed class CheckReport implements StoreCheck.Listener {

    final PrintWriter out;
    private long problems;
    private boolean progressShown;
    private final boolean showProgress =
            System.console() != null && System.console().isTerminal();

    private CheckReport(PrintWriter out) {
        this.out = out;
    }

    long problems() {
        return problems;
    }

    /// Checks a store and prints all of it.
    final void check(ExaminedDirectory directory) {
        if (directory.engine().equals(LsmEngine.NAME)) {
            end(StoreCheck.run(directory, this));
        } else {
            end(RocksDbCheck.run(directory));
        }
    }

    @Override
    public final void found(Damage kind, String file, long offset, String what) {
        clearProgress();
        problem(problems, kind, file, offset, what);
        problems++;
    }

    @Override
    public final void progress(long doneBytes, long allBytes) {
        if (showProgress) {
            System.err.print("\rchecked " + Units.bytes(doneBytes) + " of " + Units.bytes(allBytes) + "   ");
            System.err.flush();
            progressShown = true;
        }
    }

    final void clearProgress() {
        if (progressShown) {
            System.err.print("\r" + " ".repeat(50) + "\r");
            progressShown = false;
        }
    }

    final void count() {
        problems++;
    }

    abstract void problem(long number, Damage kind, String file, long offset, String what);

    /// A store of the LSM engine has been checked.
    abstract void end(StoreCheck.Summary summary);

    /// A store of RocksDB has been checked.
    ///
    /// @param problem null for none
    abstract void end(@Nullable String problem);

    /// Lines for a person.
    static final class AsText extends CheckReport {

        AsText(PrintWriter out) {
            super(out);
        }

        @Override
        void problem(long number, Damage kind, String file, long offset, String what) {
            out.println(file + ": offset " + offset + ": " + what + "; " + kind.meaning() + ": " + kind.remedy());
        }

        @Override
        public void note(String text) {
            clearProgress();
            out.println("note: " + text);
        }

        @Override
        void end(StoreCheck.Summary summary) {
            clearProgress();
            out.println("a start would replay " + Units.count(summary.replayed()) + " mutations from logs and delete "
                    + Units.count(summary.deleted()) + " files");
            String values = summary.valueFiles() == 0 ? "" : ", " + summary.valueFiles() + " value files";
            out.println(verdict() + ": " + summary.tables() + " tables" + values + " and " + summary.logs() + " logs, "
                    + Units.bytes(summary.bytes()) + ", " + Units.count(summary.records()) + " records");
        }

        @Override
        void end(@Nullable String problem) {
            if (problem != null) {
                count();
                out.println(problem + "; restore the data directory from a backup");
            }
            out.println(verdict());
        }

        private String verdict() {
            return problems() == 0 ? "sound" : "damaged, " + problems() + (problems() == 1 ? " problem" : " problems");
        }
    }

    /// One JSON object.
    static final class AsJson extends CheckReport {

        private final List<String> notes = new ArrayList<>();
        private final Json json;

        AsJson(PrintWriter out) {
            super(out);
            json = Json.into(out).open().openList("problems").flush();
        }

        @Override
        void problem(long number, Damage kind, String file, long offset, String what) {
            json.open()
                    .put("file", file)
                    .put("offset", offset)
                    .put("kind", kind.name().toLowerCase(Locale.ROOT))
                    .put("what", what)
                    .put("meaning", kind.meaning())
                    .put("remedy", kind.remedy())
                    .close()
                    .flush();
        }

        @Override
        public void note(String text) {
            notes.add(text);
        }

        @Override
        void end(StoreCheck.Summary summary) {
            clearProgress();
            json.closeList().openList("notes");
            notes.forEach(json::add);
            json.closeList()
                    .put("sound", problems() == 0)
                    .put("tables", summary.tables())
                    .put("value_files", summary.valueFiles())
                    .put("logs", summary.logs())
                    .put("bytes", summary.bytes())
                    .put("records", summary.records())
                    .put("replayed", summary.replayed())
                    .put("deleted", summary.deleted());
            end();
        }

        @Override
        void end(@Nullable String problem) {
            if (problem != null) {
                count();
                json.open().put("what", problem).close();
            }
            json.closeList().put("sound", problem == null);
            end();
        }

        private void end() {
            json.close().flush();
            out.println();
        }
    }
}
