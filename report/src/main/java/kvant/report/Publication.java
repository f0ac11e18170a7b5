package kvant.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import kvant.text.UserException;

/// The new folder that a report is published into: one page that stands alone, and its JSON. Flame graphs, recordings
/// and logs stay with the run, because all of them can be made again.
final class Publication {

    private Publication() {}

    /// @throws UserException in one line, where the folder is not new, or cannot be made
    static void create(Path folder) {
        try {
            Files.createDirectories(folder);
            try (Stream<Path> entries = Files.list(folder)) {
                if (entries.findAny().isPresent()) { // what is there already is not of this run
                    throw new UserException(folder + " is not empty: choose a new folder to publish into");
                }
            }
        } catch (IOException e) {
            throw new UserException("cannot publish into " + folder + ": " + e.getMessage(), e);
        }
    }
}
