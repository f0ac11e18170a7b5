package kvant.lab.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import kvant.text.UserException;

/// A folder of its own for data of served processes, under a folder of the person or of the system;
/// gone at the end.
final class WorkFolder {

    static final String PREFIX = "kvant-lab-";
    private static final String MARKER = ".kvant-lab-work";

    private final Path root;

    private WorkFolder(Path root) {
        this.root = root;
    }

    /// @param parent stays as it is
    /// @throws UserException where nothing can be created in it
    static WorkFolder under(Path parent) {
        try {
            Path root = Files.createTempDirectory(parent, PREFIX);
            Files.createFile(root.resolve(MARKER));
            return new WorkFolder(root);
        } catch (IOException e) {
            throw new UserException("cannot create a folder for data in " + parent + ": " + Folders.reason(e), e);
        }
    }

    /// Deletes what a run left that was killed; a folder without the marker is somebody else's.
    static void deleteRemains(Path root) throws IOException {
        if (String.valueOf(root.getFileName()).startsWith(PREFIX) && Files.exists(root.resolve(MARKER))) {
            Folders.delete(root);
        }
    }

    Path root() {
        return root;
    }

    /// An empty folder for one step.
    Path forStep(String id) {
        return Folders.create(root.resolve(id));
    }

    /// The data of one step are not needed any more.
    void forget(String id) {
        Folders.discard(root.resolve(id));
    }

    void delete() throws IOException {
        Folders.delete(root);
    }
}
