package kvant.move.mirror;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import kvant.engine.EngineException;
import kvant.engine.directory.OwnFiles;
import org.jspecify.annotations.Nullable;

/// The marks of a move in its data directories, so that no node serves a store that has been moved away, or an
/// incomplete copy. A cluster has no directory; then the other side's mark alone must be enough.
///
/// @param sourceDirectory null for a cluster
/// @param sourceName in words
/// @param targetDirectory null for a cluster
/// @param targetName in words
/// @param overwrites whether a target with records of its own is accepted
public record MirrorMarks(
        @Nullable Path sourceDirectory,
        String sourceName,
        @Nullable Path targetDirectory,
        String targetName,
        boolean overwrites) {

    /// The file `MIRROR` of a data directory: the role of the store in a move. docs/moving-live.md has its lines.
    ///
    /// @param role of this directory
    /// @param state of the move
    /// @param other the other store, in words
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

        /// @return null where there is none
        /// @throws EngineException.CannotOpen when it cannot be read, or is not one
        static @Nullable Mark read(Path directory) {
            Path file = directory.resolve(NAME);
            if (!Files.isDirectory(directory)) {
                return null; // opening it reports what it is
            }
            try {
                String[] lines = OwnFiles.read(file).split("\n", -1);
                if (lines.length < 4 || !lines[0].equals(FIRST_LINE)) {
                    throw unreadable(file, "it has other lines");
                }
                return new Mark(
                        Role.valueOf(field(lines[1], "role")),
                        State.valueOf(field(lines[2], "state")),
                        field(lines[3], "other"));
            } catch (NoSuchFileException _) {
                return null;
            } catch (CharacterCodingException _) {
                throw unreadable(file, "it is no text");
            } catch (IllegalArgumentException e) {
                throw unreadable(file, String.valueOf(e.getMessage()));
            } catch (IOException e) {
                throw OwnFiles.cannotOpen(directory, e);
            }
        }

        /// Durable when this returns.
        ///
        /// @throws EngineException.Io when it cannot be
        void write(Path directory) {
            String text = FIRST_LINE + "\nrole=" + role + "\nstate=" + state + "\nother=" + other + "\n";
            try {
                OwnFiles.replace(directory.resolve(NAME), text);
            } catch (IOException e) {
                throw new EngineException.Io("cannot write " + directory.resolve(NAME) + ": " + e.getMessage(), e);
            }
        }

        private static String field(String line, String name) {
            if (!line.startsWith(name + "=")) {
                throw new IllegalArgumentException("there is no '" + name + "'");
            }
            return line.substring(name.length() + 1);
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

    /// Before a node serves a directory.
    ///
    /// @throws EngineException.CannotOpen when that would be a mistake
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

    /// Before either store is opened.
    ///
    /// @throws EngineException.CannotOpen when the move would be a mistake
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

    /// Whether what the target holds is from here, or may go.
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

    /// Before the first write to the target.
    void began() {
        mark(Mark.State.COPYING);
    }

    /// Before the target takes over. The source's mark comes last: it is the one that ends its service. A crash between
    /// the two leaves a source that serves on and a target that is whole.
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
