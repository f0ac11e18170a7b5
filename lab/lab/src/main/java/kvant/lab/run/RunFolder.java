package kvant.lab.run;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import kvant.lab.experiment.Step;
import kvant.lab.process.Folders;
import kvant.lab.process.Folders.HeldFile;
import kvant.text.FileTrouble;
import kvant.text.UserException;

/// The result folder of one run. A marker identifies folders created by the laboratory; it never touches others. While
/// it is open, no second run can use it.
///
/// Belongs to the thread of the run.
record RunFolder(Path root, HeldFile held) implements AutoCloseable {

    /// Suffix of the folder of a disturbed attempt while it is repeated; no step has a name that ends so.
    private static final String BEFORE = "_before";

    static final String MARKER = ".kvant-lab";
    private static final String MARK = "kvant-lab/1\n";

    /// @throws UserException when the path exists and is not an empty folder
    static RunFolder create(Path root) {
        requireNew(root);
        try {
            Files.createDirectories(root);
            Files.writeString(root.resolve(MARKER), MARK, StandardOpenOption.CREATE_NEW);
            return locked(root);
        } catch (IOException e) {
            throw new UserException("cannot create " + root + ": " + FileTrouble.writing(e), e);
        }
    }

    /// @throws UserException when the path exists and is not an empty folder
    static void requireNew(Path root) {
        try {
            if (Files.exists(root) && !isEmpty(root)) {
                throw new UserException(
                        root + " exists already: choose another '--out', or continue with '--resume " + root + "'");
            }
        } catch (IOException e) {
            throw new UserException("cannot create " + root + ": " + FileTrouble.writing(e), e);
        }
    }

    private static boolean isEmpty(Path root) throws IOException {
        if (!Files.isDirectory(root)) {
            return false;
        }
        try (Stream<Path> entries = Files.list(root)) {
            return entries.findAny().isEmpty();
        }
    }

    /// @throws UserException when the laboratory did not create it
    static RunFolder resume(Path root) {
        try {
            if (!Files.isRegularFile(root.resolve(MARKER))
                    || !Files.readString(root.resolve(MARKER)).equals(MARK)) {
                throw notOurs(root);
            }
            return locked(root);
        } catch (IOException e) {
            throw new UserException("cannot open " + root + ": " + FileTrouble.writing(e), e);
        }
    }

    static UserException notOurs(Path root) {
        return new UserException(root + " was not created by 'kvant lab run': it has no file " + MARKER);
    }

    private static RunFolder locked(Path root) throws IOException {
        return HeldFile.tryHold(root.resolve(MARKER))
                .map(held -> new RunFolder(root, held))
                .orElseThrow(() -> new UserException(root + " is in use by another 'kvant lab run'"));
    }

    Path resolve(String name) {
        return root.resolve(name);
    }

    Path folder(Step step) {
        return root.resolve("runs").resolve(step.id());
    }

    /// The place for the files of a disturbed attempt while it is repeated.
    Path before(Step step) {
        return root.resolve("runs").resolve(step.id() + BEFORE);
    }

    /// Deletes files of disturbed attempts, left by a killed run.
    ///
    /// @throws UserException when they cannot be deleted
    void discardBefore() {
        Path runs = root.resolve("runs");
        if (!Files.isDirectory(runs)) {
            return;
        }
        try (DirectoryStream<Path> left = Files.newDirectoryStream(runs, "*" + BEFORE)) {
            left.forEach(Folders::discard);
        } catch (IOException e) {
            throw new UserException("cannot clean up " + runs + ": " + FileTrouble.writing(e), e);
        }
    }

    Path profiles(Step step) {
        return root.resolve("profiles").resolve(step.variant() + "-" + step.phase());
    }

    /// The name of a file in run.json.
    String relative(Path file) {
        return root.relativize(file).toString().replace('\\', '/');
    }

    @Override
    public void close() {
        held.close();
    }
}
