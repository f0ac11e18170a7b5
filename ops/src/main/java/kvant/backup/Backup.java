package kvant.backup;

import java.time.Instant;
import java.util.List;

/// One backup: which files make up the store.
///
/// @param id its name, of the time when it was made; a later backup of the same place has a larger one
/// @param engine stable name of the engine that wrote the store, such as `lsm`
/// @param files in the order in which they are restored: the one that makes a directory a data directory is the last
public record Backup(String id, String engine, List<Stored> files) {

    /// A file of a backup.
    ///
    /// @param path within the data directory, with `/`
    /// @param sha256 of its content, which is also the name of the object that holds it
    /// @param ends see [Hashes#ofEnds]
    public record Stored(String path, long bytes, String sha256, String ends) {}

    public Backup {
        files = List.copyOf(files);
    }

    /// When it was made; everything that was acknowledged before is in it.
    public Instant time() {
        return BackupWriter.ID.parse(id, Instant::from);
    }

    public long bytes() {
        return files.stream().mapToLong(Stored::bytes).sum();
    }
}
