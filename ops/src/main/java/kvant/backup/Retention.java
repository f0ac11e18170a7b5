package kvant.backup;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import kvant.text.UserException;

/// Deletes backups, and files that no remaining backup refers to.
///
/// Lists are deleted first, then files: an interruption leaves unreferenced files, which the next deletion finds. If
/// the list of any backup cannot be read, nothing is deleted, because the files that it refers to are unknown.
public final class Retention {

    /// @param files number of deleted files that no backup refers to any more
    public record Result(List<String> backups, int files, long bytes) {}

    /// Files deleted between two checks of the lock. A check may be a request to a server.
    private static final int FILES_PER_LOOK = 100;

    private final ObjectStore store;
    private final TargetLock lock;

    /// @param lock of the store; nothing more is deleted once another process has taken it over
    public Retention(ObjectStore store, TargetLock lock) {
        this.store = store;
        this.lock = lock;
    }

    /// Deletes all backups except the newest.
    ///
    /// @param count number of backups to keep, at least 1
    public Result keep(int count) throws IOException {
        Catalog catalog = readable();
        List<Backup> all = catalog.backups();
        Set<Backup> kept = new HashSet<>(all.subList(Math.max(0, all.size() - count), all.size()));
        return delete(all, kept::contains);
    }

    /// Deletes one backup.
    ///
    /// @throws UserException when it does not exist; a backup with an unreadable list can be deleted too
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
