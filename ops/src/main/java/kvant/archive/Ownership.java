package kvant.archive;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import kvant.archive.EpochFormat.Epoch;
import kvant.backup.ObjectStore;
import kvant.backup.TargetLock;
import org.jspecify.annotations.Nullable;

/// The right of this process to write an archive, until another process begins the next epoch.
///
/// An epoch is begun by creating the object of the next number: of several processes one alone succeeds. Each
/// object has the epoch in its name. So a process that does not know yet that it has lost the archive overwrites
/// nothing, and its late objects are not read. Any thread may call it.
///
/// @param epoch that this process has begun
/// @param from the version behind which it continues
record Ownership(int epoch, String nonce, long from) {

    /// Another process owns the archive: this one must not write any more.
    static final class Lost extends IOException {
        private static final long serialVersionUID = 1;

        Lost(String message) {
            super(message);
        }
    }

    /// Takes the archive: as the store that had it, as a store that was restored from it, or where it is empty.
    ///
    /// @param folder of the store's [OwnerFile]
    /// @param newest version of the store
    /// @param takeOver also where another store has it
    /// @throws Lost where another one has it
    static Ownership take(ObjectStore store, Path folder, long newest, boolean takeOver, InstantSource clock)
            throws IOException {
        String id = identity(store);
        OwnerFile own = OwnerFile.read(folder);
        boolean isKnown = own.archive().equals(id);
        boolean isRestored = isKnown && own.version() != OwnerFile.NOT_RESTORED;
        Epoch last = newest(store);
        if (last != null && !takeOver && !isRestored && !(isKnown && own.began(last))) {
            throw lost(store, last);
        }
        int parent = isKnown ? own.epoch() : 0;
        int number = last == null ? 1 : last.number() + 1;
        String by = TargetLock.host() + " process " + ProcessHandle.current().pid();
        String nonce = UUID.randomUUID().toString();
        String previous = last != null && own.began(last) ? last.nonce() : own.nonce();
        // Before the epoch: if this process ends between the two, its next start recognizes the epoch as its own.
        new OwnerFile(id, nonce, previous, parent, isRestored ? own.version() : OwnerFile.NOT_RESTORED).write(folder);
        EpochFormat.create(store, new Epoch(number, parent, nonce, clock.millis(), by));
        Ownership taken = new Ownership(number, nonce, 0);
        taken.requireHeld(store); // the answer of create does not tell: a repeated request finds its own object
        // After the epoch: later objects of an earlier owner do not count.
        long from = isRestored ? own.version() : Math.min(newest, parent == 0 ? newest : lastOf(store, parent, newest));
        EpochFormat.createBeginning(store, number, from);
        new OwnerFile(id, nonce, previous, number, OwnerFile.NOT_RESTORED).write(folder);
        return new Ownership(number, nonce, from);
    }

    /// @throws Lost when another process has started an epoch
    void requireHeld(ObjectStore store) throws IOException {
        Epoch own = EpochFormat.epoch(store, epoch);
        Epoch next = EpochFormat.epoch(store, epoch + 1);
        if (next != null || own == null || !own.nonce().equals(nonce)) { // epochs are deleted oldest first
            Epoch other = next == null ? newest(store) : next;
            throw other == null ? new Lost(store.describe("") + " is no archive any more") : lost(store, other);
        }
    }

    private static Lost lost(ObjectStore store, Epoch other) {
        return new Lost(store.describe("") + " is the archive of another store, which took it at "
                + Instant.ofEpochMilli(other.millis()) + " (" + other.by()
                + "): end that one, name another target, or give --archive-take-over");
    }

    private static String identity(ObjectStore store) throws IOException {
        if (EpochFormat.identity(store) == null) {
            EpochFormat.createIdentity(store, UUID.randomUUID().toString());
        }
        String id = EpochFormat.identity(store);
        if (id == null) {
            throw new IOException(store.describe(ArchiveFormat.IDENTITY) + " was created and is not there");
        }
        return id;
    }

    /// The newest epoch. A listing may lack it, so objects of later numbers are asked for by name.
    static @Nullable Epoch newest(ObjectStore store) throws IOException {
        Epoch newest = null;
        int number = 1;
        for (String name : store.list(ArchiveFormat.EPOCHS).keySet()) {
            number = name.matches("\\d{8}") ? Math.max(number, Integer.parseInt(name)) : number;
        }
        for (Epoch next = EpochFormat.epoch(store, number); next != null; next = EpochFormat.epoch(store, number)) {
            newest = next;
            number++;
        }
        return newest;
    }

    /// The last version that an epoch has archived.
    private static long lastOf(ObjectStore store, int epoch, long otherwise) throws IOException {
        Long from = EpochFormat.beginning(store, epoch);
        return ArchiveIndex.objects(store).stream()
                .filter(object -> object.epoch() == epoch)
                .mapToLong(object -> from == null ? object.to() : Math.max(from, object.to()))
                .max()
                .orElse(from == null ? otherwise : from);
    }
}
