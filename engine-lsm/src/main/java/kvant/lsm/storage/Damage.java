package kvant.lsm.storage;

/// Kinds of damage of a stored file: what each means, and what to do. For tools that look for all damage instead
/// of stopping at the first.
public enum Damage {
    MANIFEST(
            "the files of the store are unknown, and a node refuses to start",
            "restore the data directory from a backup"),
    FILE_MISSING(
            "a node refuses to start", "put the file back from a copy of this very directory, or restore a backup"),
    FILE_UNREADABLE("nothing is known of its content", "mend permissions or the disk, then check again"),
    FILE_NEWER("this version cannot read it", "use the version that wrote it"),
    TABLE("a node refuses to start, or answers 500 for keys in this file", "restore the data directory from a backup"),
    BLOCK("reads of the keys in this block are answered 500", "restore the data directory from a backup"),
    FILTER("keys of this table read as absent although they are there", "restore the data directory from a backup"),
    ORDER("some keys of these tables cannot be found", "restore the data directory from a backup"),
    VALUES(
            "a node refuses to start, or answers 500 for keys whose values are in this file",
            "restore the data directory from a backup"),
    LOG("acknowledged writes are lost, and a node refuses to start", "restore the data directory from a backup"),
    PADDING(
            "no data is touched, because nothing reads these bytes, but something has changed them",
            "check disk and memory, and make a checkpoint on another disk"),
    UNKNOWN_WRITES(
            "it holds acknowledged writes that the manifest does not know, and a node refuses to start",
            "keep the file, and restore the manifest from a copy of this very directory");

    /// Receives each damage.
    public interface Sink {
        /// @param file name as shown to the user
        /// @param offset in the file, 0 for the whole file
        /// @param what description of the damage
        void found(Damage kind, String file, long offset, String what);
    }

    private final String meaning;
    private final String remedy;

    Damage(String meaning, String remedy) {
        this.meaning = meaning;
        this.remedy = remedy;
    }

    public String meaning() {
        return meaning;
    }

    public String remedy() {
        return remedy;
    }
}
