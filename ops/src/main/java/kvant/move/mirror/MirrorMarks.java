package kvant.move.mirror;

import java.nio.file.Path;
import kvant.engine.EngineException;
import kvant.move.mirror.MirrorMark.Role;
import kvant.move.mirror.MirrorMark.State;
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

    public MirrorMarks {
        sourceName = sourceName.replace('\n', ' ');
        targetName = targetName.replace('\n', ' ');
    }

    /// Before a node serves a directory.
    ///
    /// @throws EngineException.CannotOpen when that would be a mistake
    public static void refuseToServe(Path directory) {
        MirrorMark mark = MirrorMark.read(directory);
        if (mark == null) {
            return;
        }
        String file = directory.resolve(MirrorMark.NAME).toString();
        if (mark.role() == Role.SOURCE && mark.state() == State.SWITCHED) {
            throw new EngineException.CannotOpen("the records of " + directory + " have moved to " + mark.other()
                    + ": serve that, or delete " + file + " to serve what was here before");
        }
        if (mark.role() == Role.TARGET && mark.state() == State.COPYING) {
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
        MirrorMark there = targetDirectory == null ? null : MirrorMark.read(targetDirectory);
        if (there != null && !overwrites && !isBegun(there, Role.TARGET, sourceName)) {
            String what = there.role() == Role.TARGET && there.state() == State.SWITCHED
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
            return isBegun(MirrorMark.read(targetDirectory), Role.TARGET, sourceName);
        }
        return sourceDirectory != null && isBegun(MirrorMark.read(sourceDirectory), Role.SOURCE, targetName);
    }

    private static boolean isBegun(@Nullable MirrorMark mark, Role role, String other) {
        return mark != null
                && mark.role() == role
                && mark.state() == State.COPYING
                && mark.other().equals(other);
    }

    /// Before the first write to the target.
    void began() {
        mark(State.COPYING);
    }

    /// Before the target takes over. The source's mark comes last: it is the one that ends its service. A crash between
    /// the two leaves a source that serves on and a target that is whole.
    void switched() {
        mark(State.SWITCHED);
    }

    private void mark(State state) {
        if (targetDirectory != null) {
            new MirrorMark(Role.TARGET, state, sourceName).write(targetDirectory);
        }
        if (sourceDirectory != null) {
            new MirrorMark(Role.SOURCE, state, targetName).write(sourceDirectory);
        }
    }
}
