package kvant.backup;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import kvant.text.UserException;

/// Deletes backups, and the files that no other one refers to.
///
/// Lists first, then files: should this be broken off, files are left that nobody refers to, and the next
/// deletion finds them. While the list of any backup cannot be read nothing is deleted, because nobody knows
/// what it refers to.
public final class Retention {

    /// @param files that no backup refers to any more
    public record Result(List<String> backups, int files, long bytes) {}

    /// So many files are deleted between two looks at the lock, each of which may be a request to a server.
    private static final int FILES_PER_LOOK = 100;

    private final ObjectStore store;
    private final TargetLock lock;

    /// @param lock of the store; whoever has lost it to another process deletes nothing more
    public Retention(ObjectStore store, TargetLock lock) {
        this.store = store;
        this.lock = lock;
    }

    /// All but the newest.
    ///
    /// @param count at least 1
    public Result keep(int count) throws IOException {
        Catalog catalog = readable();
        List<Backup> all = catalog.backups();
        Set<Backup> kept = new HashSet<>(all.subList(Math.max(0, all.size() - count), all.size()));
        return delete(all, kept::contains);
    }

    /// This one.
    ///
    /// @throws UserException where there is none; a list that cannot be read can be deleted too
    public Result delete(String id) throws IOException {
        Catalog catalog = Catalog.read(store);
        boolean damaged = catalog.damaged().containsKey(id);
        if (damaged) {
            requireHeld();
            store.delete(BackupFormat.list(id));
        } else {
            catalog.find(id, store);
        }
        Result rest = delete(readable().backups(), backup -> !backup.id().equals(id));
        return damaged ? new Result(List.of(id), rest.files(), rest.bytes()) : rest;
    }

    private Catalog readable() throws IOException {
        Catalog catalog = Catalog.read(store);
        for (String damage : catalog.damaged().values()) {
            throw new UserException("nothing was deleted: " + damage);
        }
        return catalog;
    }

    private void requireHeld() throws IOException {
        lock.requireHeld("nothing more was deleted");
    }

    private Result delete(List<Backup> all, Predicate<Backup> isKept) throws IOException {
        requireHeld();
        List<String> deleted = new ArrayList<>();
        Set<String> needed = new HashSet<>();
        for (Backup backup : all) {
            if (isKept.test(backup)) {
                backup.files().forEach(file -> needed.add(file.sha256()));
            } else {
                store.delete(BackupFormat.list(backup.id()));
                deleted.add(backup.id());
            }
        }
        int files = 0;
        long bytes = 0;
        for (var file : store.list(BackupFormat.FILES).entrySet()) {
            if (!needed.contains(file.getKey())) {
                if (files % FILES_PER_LOOK == 0) {
                    requireHeld();
                }
                store.delete(BackupFormat.file(file.getKey()));
                files++;
                bytes += file.getValue();
            }
        }
        return new Result(deleted, files, bytes);
    }
}
