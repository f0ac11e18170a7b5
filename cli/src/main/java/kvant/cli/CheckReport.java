package kvant.cli;

import java.io.PrintWriter;
import java.util.Locale;
import kvant.cli.control.Json;
import kvant.cli.control.Quantity;
import kvant.lsm.StoreCheck;
import kvant.lsm.storage.Damage;
import org.jspecify.annotations.Nullable;

/// Prints what a check finds, as it is found: nothing is kept, however much there is. Belongs to one thread.
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

    @Override
    public final void found(Damage kind, String file, long offset, String what) {
        clearProgress();
        problem(problems, kind, file, offset, what);
        problems++;
    }

    @Override
    public final void progress(long doneBytes, long allBytes) {
        if (showProgress) {
            System.err.print("\rchecked " + Quantity.bytes(doneBytes) + " of " + Quantity.bytes(allBytes) + "   ");
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

    /// A store of Kvant's own engine has been looked at.
    abstract void end(StoreCheck.Summary summary);

    /// A store of RocksDB has been looked at.
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
            out.println("a start would replay " + Quantity.count(summary.replayed())
                    + " mutations from logs and delete " + Quantity.count(summary.deleted()) + " files");
            out.println(verdict() + ": " + summary.tables() + " tables and " + summary.logs() + " logs, "
                    + Quantity.bytes(summary.bytes()) + ", " + Quantity.count(summary.records()) + " records");
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

        private final StringBuilder notes = new StringBuilder();

        AsJson(PrintWriter out) {
            super(out);
            out.println("{\"problems\":[");
        }

        @Override
        void problem(long number, Damage kind, String file, long offset, String what) {
            out.println((number == 0 ? "" : ",") + "{\"file\":" + Json.quote(file) + ",\"offset\":" + offset
                    + ",\"kind\":" + Json.quote(kind.name().toLowerCase(Locale.ROOT)) + ",\"what\":"
                    + Json.quote(what) + ",\"meaning\":" + Json.quote(kind.meaning()) + ",\"remedy\":"
                    + Json.quote(kind.remedy()) + "}");
        }

        @Override
        public void note(String text) {
            notes.append(notes.isEmpty() ? "" : ",\n").append(Json.quote(text));
        }

        @Override
        void end(StoreCheck.Summary summary) {
            clearProgress();
            out.println("],\"notes\":[" + notes + "],");
            out.println("\"sound\":" + (problems() == 0) + ",\"tables\":" + summary.tables() + ",\"logs\":"
                    + summary.logs() + ",\"bytes\":" + summary.bytes() + ",\"records\":" + summary.records()
                    + ",\"replayed\":" + summary.replayed() + ",\"deleted\":" + summary.deleted() + "}");
        }

        @Override
        void end(@Nullable String problem) {
            if (problem != null) {
                count();
                out.println("{\"what\":" + Json.quote(problem) + "}");
            }
            out.println("],\"sound\":" + (problem == null) + "}");
        }
    }
}
