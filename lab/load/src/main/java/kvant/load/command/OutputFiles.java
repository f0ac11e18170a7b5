package kvant.load.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import kvant.text.FileTrouble;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// The output of a measurement: stdout and files. A failed file does not prevent the others, because the result may
/// have taken an hour to measure. All failures are reported at the end.
final class OutputFiles {

    private final List<String> failures = new ArrayList<>();

    /// Checks a file before a run, so that an hour of measuring is not lost.
    ///
    /// @throws UserException with a readable one-line reason
    static void refuseUnwritable(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            throw new UserException("cannot write " + file + ": it is a directory");
        }
        if (folder == null || !Files.isDirectory(folder)) {
            throw new UserException("cannot write " + file + ": its directory does not exist");
        }
        if (!Files.isWritable(Files.exists(file) ? file : folder)) {
            throw new UserException("cannot write " + file + ": no permission");
        }
    }

    /// @param file null if not requested
    void write(@Nullable Path file, Supplier<String> text) {
        if (file == null) {
            return;
        }
        try {
            Files.writeString(file, text.get(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            failures.add("cannot write " + file + ": " + FileTrouble.writing(e));
        }
    }

    /// Checks stdout: a full disk or a closed pipe shows only after everything was printed.
    void printed(PrintWriter out) {
        if (out.checkError()) {
            failures.add("cannot write all of the result to stdout");
        }
    }

    void failed(String what) {
        failures.add(what);
    }

    /// Prints one line for each failure.
    ///
    /// @return true if there was none
    boolean explain(PrintWriter err) {
        failures.forEach(failure -> err.println("kvant: " + failure));
        return failures.isEmpty();
    }
}
