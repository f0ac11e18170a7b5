package kvant.engine.directory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import kvant.engine.EngineException;

/// The final path of a checkpoint, and the directory in which it is assembled. Belongs to one thread.
///
/// @param path does not exist; the finished checkpoint is renamed to it
/// @param parent of both
/// @param unfinished a unique name, so that a directory left behind by a crash is never mistaken for it
public record CheckpointTarget(Path path, Path parent, Path unfinished) {

    /// The only place for checkpoints inside a data directory: checkpoints of backups under way. Hard links to files
    /// of the store always work there, and no other user writes there.
    public static final String PASSING = "backup";

    /// @param data the data directory that is copied
    /// @throws EngineException.CannotOpen when the target exists or its parent does not
    public static CheckpointTarget of(Path data, Path target) {
        Path absolute = target.toAbsolutePath().normalize();
        Path name = absolute.getFileName();
        Path parent = absolute.getParent();
        if (name == null || parent == null || Files.exists(absolute, LinkOption.NOFOLLOW_LINKS)) {
            throw new EngineException.CannotOpen(target + " exists: name a directory that does not");
        }
        if (!Files.isDirectory(parent)) {
            throw new EngineException.CannotOpen("there is no directory " + parent + " to put the checkpoint in");
        }
        try {
            if (parent.toRealPath().startsWith(data.toRealPath())
                    && !parent.toRealPath().equals(data.toRealPath().resolve(PASSING))) {
                throw new EngineException.CannotOpen(target + " lies in the data directory itself: name another place");
            }
        } catch (IOException e) {
            throw new EngineException.CannotOpen("cannot look at " + parent + ": " + OwnFiles.reason(e), e);
        }
        String suffix = ".kvant-" + Long.toHexString(ThreadLocalRandom.current().nextLong());
        return new CheckpointTarget(absolute, parent, parent.resolve(name + suffix));
    }

    /// Deletes an unfinished checkpoint. Files that cannot be deleted stay, and no node opens them.
    public void discard() {
        try (Stream<Path> tree = Files.walk(unfinished)) {
            List<Path> deepestFirst = new ArrayList<>(tree.toList()).reversed();
            for (Path each : deepestFirst) {
                Files.delete(each);
            }
        } catch (IOException _) {
            // The failure that led here is the one to report.
        }
    }
}
