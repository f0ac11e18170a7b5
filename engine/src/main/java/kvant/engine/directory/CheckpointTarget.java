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

/// Where a checkpoint will appear, and where it is assembled until then. Belongs to one thread.
///
/// @param path does not exist; the finished checkpoint is renamed to it
/// @param parent of both
/// @param unfinished a unique name, so that no other directory is ever taken for what a crash has left
public record CheckpointTarget(Path path, Path parent, Path unfinished) {

    /// The one place for checkpoints in a data directory itself: of backups that are under way. There, links
    /// to files of the store can always be made, and nobody else writes.
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

    /// Deletes what was not finished. What cannot be deleted stays, and no node opens it.
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
