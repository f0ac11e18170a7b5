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

/// What a measurement leaves behind: stdout and files. One that cannot be written does not keep the others from being
/// written, because an hour of measuring stands in them; what failed is said at the end.
final class OutputFiles {

    private final List<String> failures = new ArrayList<>();

    /// Before a run, because after an hour it would be a pity.
    ///
    /// @throws UserException with a line for a person
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

    /// @param file null where none was asked for
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

    /// Everything was printed; a full disk or a closed pipe shows only here.
    void printed(PrintWriter out) {
        if (out.checkError()) {
            failures.add("cannot write all of the result to stdout");
        }
    }

    void failed(String what) {
        failures.add(what);
    }

    /// One line for each that failed.
    ///
    /// @return whether none did
    boolean explain(PrintWriter err) {
        failures.forEach(failure -> err.println("kvant: " + failure));
        return failures.isEmpty();
    }
}
