package kvant.cli.store;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import kvant.engine.directory.ExaminedDirectory;
import kvant.lsm.LsmEngine;
import kvant.lsm.operate.StoreCheck;
import kvant.lsm.storage.Damage;
import kvant.rocksdb.RocksDbCheck;
import kvant.text.ExitCode;
import kvant.text.Json;
import kvant.text.ProgressLine;
import kvant.text.Terminal;
import kvant.text.Units;
import kvant.text.command.Output;
import org.jspecify.annotations.Nullable;

/// Prints the findings of a check as they occur, so that memory is bounded. Prints readable lines or one JSON object.
/// Belongs to one thread.
final class CheckReport implements StoreCheck.Listener {

    private final PrintWriter out;
    private final @Nullable Json json;
    private final List<String> notes = new ArrayList<>();
    private final ProgressLine progress =
            new ProgressLine(new PrintWriter(System.err, false, StandardCharsets.UTF_8), Terminal.isInteractive());
    private long problems;

    private CheckReport(PrintWriter out, Output format) {
        this.out = out;
        this.json = format == Output.TEXT
                ? null
                : Json.into(out).open().openList("problems").flush();
    }

    /// Checks a store that no node serves and prints the result.
    ///
    /// @return the exit code
    static int check(Path data, Output format, PrintWriter out) {
        try (ExaminedDirectory directory = ExaminedDirectory.open(data)) {
            CheckReport report = new CheckReport(out, format);
            if (directory.engine().equals(LsmEngine.NAME)) {
                report.end(StoreCheck.run(directory, report));
            } else {
                report.end(RocksDbCheck.run(directory));
            }
            return report.problems == 0 ? ExitCode.DONE : ExitCode.FAILED;
        }
    }

    static String damaged(long problems) {
        return "damaged, " + problems + (problems == 1 ? " problem" : " problems");
    }

    @Override
    public void found(Damage kind, String file, long offset, String what) {
        progress.close();
        problems++;
        if (json == null) {
            out.println(file + ": offset " + offset + ": " + what + "; " + kind.meaning() + ": " + kind.remedy());
            return;
        }
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
    public void progress(long doneBytes, long allBytes) {
        progress.draw("checked " + Units.bytes(doneBytes) + " of " + Units.bytes(allBytes));
    }

    @Override
    public void note(String text) {
        if (json == null) {
            progress.close();
            out.println("note: " + text);
        } else {
            notes.add(text);
        }
    }

    /// Prints the result for a store of the LSM engine.
    private void end(StoreCheck.Summary summary) {
        progress.close();
        if (json != null) {
            json.closeList().openList("notes");
            notes.forEach(json::add);
            json.closeList()
                    .put("sound", problems == 0)
                    .put("tables", summary.tables())
                    .put("value_files", summary.valueFiles())
                    .put("logs", summary.logs())
                    .put("bytes", summary.bytes())
                    .put("records", summary.records())
                    .put("replayed", summary.replayed())
                    .put("deleted", summary.deleted());
            end(json);
            return;
        }
        out.println("a start would replay " + Units.count(summary.replayed()) + " mutations from logs and delete "
                + Units.count(summary.deleted()) + " files");
        String values = summary.valueFiles() == 0 ? "" : ", " + summary.valueFiles() + " value files";
        out.println(verdict() + ": " + summary.tables() + " tables" + values + " and " + summary.logs() + " logs, "
                + Units.bytes(summary.bytes()) + ", " + Units.count(summary.records()) + " records");
    }

    /// Prints the result for a store of RocksDB.
    ///
    /// @param problem found, or null
    private void end(@Nullable String problem) {
        problems += problem == null ? 0 : 1;
        if (json != null) {
            if (problem != null) {
                json.open().put("what", problem).close();
            }
            end(json.closeList().put("sound", problem == null));
            return;
        }
        if (problem != null) {
            out.println(problem + "; restore the data directory from a backup");
        }
        out.println(verdict());
    }

    private String verdict() {
        return problems == 0 ? "sound" : damaged(problems);
    }

    private void end(Json whole) {
        whole.close().flush();
        out.println();
    }
}
