package kvant.move.mirror;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import kvant.engine.EngineException;
import kvant.engine.directory.OwnFiles;
import org.jspecify.annotations.Nullable;

/// The file `MIRROR` of a data directory: the role of the store in a move. docs/moving-live.md has its lines.
///
/// @param role of this directory
/// @param state of the move
/// @param other the other store, in words
record MirrorMark(Role role, State state, String other) {

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
    static @Nullable MirrorMark read(Path directory) {
        Path file = directory.resolve(NAME);
        if (!Files.isDirectory(directory)) {
            return null; // opening it reports what it is
        }
        try {
            String[] lines = OwnFiles.read(file).split("\n", -1);
            if (lines.length < 4 || !lines[0].equals(FIRST_LINE)) {
                throw unreadable(file, "it has other lines");
            }
            return new MirrorMark(
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
