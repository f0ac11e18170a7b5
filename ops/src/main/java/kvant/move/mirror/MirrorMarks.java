package kvant.move.mirror;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.engine.EngineException;
import kvant.engine.directory.OwnFiles;
import org.jspecify.annotations.Nullable;

/// The marker files of a move in its data directories. They prevent a node from serving a store that has been moved
/// away, or an incomplete copy. A cluster has no directory; the other side's marker must then suffice.
///
/// @param sourceDirectory null for a cluster
/// @param sourceName readable name
/// @param targetDirectory null for a cluster
/// @param targetName readable name
/// @param overwrites whether a target with records of its own is accepted
public record MirrorMarks(
        @Nullable Path sourceDirectory,
        String sourceName,
        @Nullable Path targetDirectory,
        String targetName,
        boolean overwrites) {

    /// The file `MIRROR` of a data directory: the role of the store in a move. docs/moving-live.md describes its lines.
    ///
    /// @param role of this directory
    /// @param state of the move
    /// @param other readable name of the other store
    record Mark(Role role, State state, String other) {

        enum Role {
            SOURCE,
            TARGET
        }

        enum State {
            COPYING,
            SWITCHED
        }

        static final String NAME = "MIRROR";

        private static final String FIRST_LINE = "kvant mirror 1";
        private static final Pattern TEXT =
                Pattern.compile(FIRST_LINE + "\nrole=(SOURCE|TARGET)\nstate=(COPYING|SWITCHED)\nother=([^\n]*)(?s:.*)");

        /// @return null if there is no marker
        /// @throws EngineException.CannotOpen when it cannot be read, or is invalid
        static @Nullable Mark read(Path directory) {
            Path file = directory.resolve(NAME);
            if (!Files.isDirectory(directory)) {
                return null; // opening the path reports the problem
            }
            try {
                Matcher lines = TEXT.matcher(OwnFiles.read(file));
                if (!lines.matches()) {
                    throw unreadable(file, "it has other lines");
                }
                return new Mark(Role.valueOf(lines.group(1)), State.valueOf(lines.group(2)), lines.group(3));
            } catch (NoSuchFileException _) {
                return null;
            } catch (CharacterCodingException _) {
                throw unreadable(file, "it is no text");
            } catch (IOException e) {
                throw OwnFiles.cannotOpen(directory, e);
            }
        }

        /// Writes the marker. Durable when this returns.
        ///
        /// @throws EngineException.Io when it cannot be written
        void write(Path directory) {
            String text = FIRST_LINE + "\nrole=" + role + "\nstate=" + state + "\nother=" + other + "\n";
            try {
                OwnFiles.replace(directory.resolve(NAME), text);
            } catch (IOException e) {
                throw new EngineException.Io("cannot write " + directory.resolve(NAME) + ": " + e.getMessage(), e);
            }
        }

        private static EngineException.CannotOpen unreadable(Path file, String why) {
            return new EngineException.CannotOpen(file + " cannot be read (" + why
                    + "): it says which store a move has left; delete it if you know that");
        }
    }

    public MirrorMarks {
        sourceName = sourceName.replace('\n', ' ');
        targetName = targetName.replace('\n', ' ');
    }

    /// Checks a directory before a node serves it.
    ///
    /// @throws EngineException.CannotOpen when its marker forbids that
    public static void refuseToServe(Path directory) {
        Mark mark = Mark.read(directory);
        if (mark == null) {
            return;
        }
        String file = directory.resolve(Mark.NAME).toString();
        if (mark.role() == Mark.Role.SOURCE && mark.state() == Mark.State.SWITCHED) {
            throw new EngineException.CannotOpen("the records of " + directory + " have moved to " + mark.other()
                    + ": serve that, or delete " + file + " to serve what was here before");
        }
        if (mark.role() == Mark.Role.TARGET && mark.state() == Mark.State.COPYING) {
            throw new EngineException.CannotOpen(directory + " is an unfinished copy of " + mark.other()
                    + ": serve that, or delete " + file + " to serve what is here");
        }
    }

    /// Checks both markers before either store is opened.
    ///
    /// @throws EngineException.CannotOpen when they contradict this move
    public void check() {
        if (sourceDirectory != null) {
            refuseToServe(sourceDirectory);
        }
        Mark there = targetDirectory == null ? null : Mark.read(targetDirectory);
        if (there != null && !overwrites && !isBegun(there, Mark.Role.TARGET, sourceName)) {
            String what = there.role() == Mark.Role.TARGET && there.state() == Mark.State.SWITCHED
                    ? "has taken over from " + there.other() + " and may hold newer records"
                    : "has a part in another move, with " + there.other();
            throw new EngineException.CannotOpen(
                    targetDirectory + " " + what + ": choose an empty directory; --mirror-over overwrites it");
        }
    }

    /// True if the target's records come from this source, or may be overwritten.
    boolean mayOverwrite() {
        if (overwrites) {
            return true;
        }
        if (targetDirectory != null) {
            return isBegun(Mark.read(targetDirectory), Mark.Role.TARGET, sourceName);
        }
        return sourceDirectory != null && isBegun(Mark.read(sourceDirectory), Mark.Role.SOURCE, targetName);
    }

    private static boolean isBegun(@Nullable Mark mark, Mark.Role role, String other) {
        return mark != null
                && mark.role() == role
                && mark.state() == Mark.State.COPYING
                && mark.other().equals(other);
    }

    /// Marks the move as begun, before the first write to the target.
    void began() {
        mark(Mark.State.COPYING);
    }

    /// Marks the switch-over, before the target takes over. The source's marker is written last, because it ends its
    /// service. After a crash between the two the source continues to serve, and the target is complete.
    void switched() {
        mark(Mark.State.SWITCHED);
    }

    private void mark(Mark.State state) {
        if (targetDirectory != null) {
            new Mark(Mark.Role.TARGET, state, sourceName).write(targetDirectory);
        }
        if (sourceDirectory != null) {
            new Mark(Mark.Role.SOURCE, state, targetName).write(sourceDirectory);
        }
    }
}
