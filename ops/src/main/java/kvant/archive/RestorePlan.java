package kvant.archive;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.List;
import kvant.backup.ObjectStore;
import kvant.engine.Mutation;
import kvant.text.UserException;

/// From which bases and objects a state can be restored.
///
/// @param bases that lead to it, the newest first
/// @param version that is wanted
record RestorePlan(List<Base> bases, long version) {

    private static final int BUFFER_BYTES = 256 << 10;
    private static final int LOOKS = 3;

    /// Looks again where a node has merged objects meanwhile.
    ///
    /// @param tip epoch to look from; 0 for the newest
    /// @throws UserException where that state cannot be restored, with the last one before it that can
    static RestorePlan of(ObjectStore store, int tip, RestorePoint point) throws IOException {
        for (int look = 1; ; look++) {
            try {
                return of(store, ArchiveIndex.read(store, tip), point);
            } catch (UserException e) {
                if (!isMissing(e) || look == LOOKS) {
                    throw e;
                }
            }
        }
    }

    /// Whether an object was listed, and is not there.
    static boolean isMissing(UserException e) {
        return e.getCause() instanceof NoSuchFileException;
    }

    private static RestorePlan of(ObjectStore store, ArchiveIndex index, RestorePoint point) throws IOException {
        String where = store.describe("");
        List<Base> bases = index.usableBases();
        if (bases.isEmpty()) {
            throw new UserException("there is no base of an archive in " + where);
        }
        long wanted = switch (point) {
            case RestorePoint.Latest _ -> index.newest();
            case RestorePoint.Version(long version) -> version;
            case RestorePoint.Time(long millis) -> versionAt(store, index, millis);
        };
        if (wanted > index.newest()) {
            throw new UserException("version " + wanted + " is not in " + where + ": the newest there is "
                    + index.newest() + "; --latest restores it");
        }
        List<Base> before =
                bases.stream().filter(base -> base.version() <= wanted).toList().reversed();
        if (before.isEmpty()) {
            throw new UserException(
                    "nothing in " + where + " is as old: the first state that can be restored is version "
                            + bases.getFirst().version() + ", of "
                            + Instant.ofEpochMilli(bases.getFirst().millis()));
        }
        requireCover(index, before, wanted, where);
        return new RestorePlan(before, wanted);
    }

    private static void requireCover(ArchiveIndex index, List<Base> bases, long wanted, String where) {
        long end = index.cover(bases.getFirst().version()).end();
        if (end < wanted) {
            throw new UserException("the object with version " + (end + 1) + " is missing in " + where
                    + ArchiveFormat.LOGS
                    + ", or never came there (a gap): the last state before it that can be restored is"
                    + " version " + end + "; --version " + end + " restores it");
        }
    }

    /// The last version whose time is at most this one.
    private static long versionAt(ObjectStore store, ArchiveIndex index, long millis) throws IOException {
        long[] last = {-1};
        for (Base base : index.usableBases()) {
            if (base.millis() <= millis) {
                last[0] = Math.max(last[0], base.version());
            }
        }
        for (ArchiveIndex.Step step : index.lineObjects().reversed()) {
            if (step.until() > last[0] && step.object().firstMillis() <= millis) {
                if (step.object().lastMillis() <= millis
                        && step.until() == step.object().to()) {
                    last[0] = step.until(); // all of it
                    continue;
                }
                read(store, step.object(), new Groups() {
                    @Override
                    public void group(long version, long groupMillis) {
                        if (groupMillis <= millis && version <= step.until()) {
                            last[0] = Math.max(last[0], version);
                        }
                    }
                });
            }
        }
        if (last[0] < 0) {
            Base first = index.usableBases().getFirst();
            throw new UserException(
                    "nothing in " + store.describe("") + " is as old: the first state that can be restored"
                            + " is version " + first.version() + ", of " + Instant.ofEpochMilli(first.millis()));
        }
        return last[0];
    }

    /// Looks at groups alone.
    interface Groups extends ArchiveFormat.Visitor {
        @Override
        default void mutation(Mutation mutation) {}
    }

    /// @throws UserException where an object is missing or damaged, with the last state that can be restored
    static void read(ObjectStore store, LogObject object, ArchiveFormat.Visitor visitor) throws IOException {
        String where = store.describe(object.name());
        try (InputStream in = new BufferedInputStream(store.get(object.name()), BUFFER_BYTES)) {
            ArchiveFormat.read(in, object, where, visitor);
        } catch (NoSuchFileException e) {
            throw new UserException(
                    where + " is missing: the last state that can be restored is version " + object.from()
                            + "; --version " + object.from() + " restores it",
                    e);
        } catch (ArchiveFormat.Damage e) {
            throw new UserException(
                    e.getMessage() + ": that is the last state that can be restored; --version " + e.soundTo
                            + " restores it",
                    e);
        }
    }
}
