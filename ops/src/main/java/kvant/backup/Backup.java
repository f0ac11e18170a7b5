package kvant.backup;

import java.time.Instant;
import java.util.List;

/// A backup: the list of files that make up the store.
///
/// @param id timestamp of the backup; a later backup in the same place has a larger id
/// @param engine stable name of the engine that wrote the store, such as `lsm`
/// @param files in restore order: the file that turns a directory into a data directory comes last
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

    /// The time of the backup. It contains every write acknowledged before this time.
    public Instant time() {
        return BackupWriter.ID.parse(id, Instant::from);
    }

    public long bytes() {
        return files.stream().mapToLong(Stored::bytes).sum();
    }
}
