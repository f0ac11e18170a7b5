package kvant.lsm.wal;

/// The header of a record file.
///
/// @param kind of its content
/// @param version of the format; a newer one is written only where the content needs it
/// @param id a random number that seeds the checksums of its records: records of another file are not valid here
/// @param number its number within the store, as in its name
/// @param predecessor the file before it
public record FileHeader(Kind kind, int version, long id, long number, Predecessor predecessor) {

    public static final int FIRST_VERSION = 1;

    /// Of the first version.
    public FileHeader(Kind kind, long id, long number, Predecessor predecessor) {
        this(kind, FIRST_VERSION, id, number, predecessor);
    }

    /// The kind of a record file's content.
    public enum Kind {
        LOG(0x474F4C54_4E41564BL, 1, "write-ahead log"), // "KVANTLOG" in little-endian order
        MANIFEST(0x4E414D54_4E41564BL, 3, "manifest"); // "KVANTMAN"

        private final long magic;
        private final int newestVersion;
        private final String title;

        Kind(long magic, int newestVersion, String title) {
            this.magic = magic;
            this.newestVersion = newestVersion;
            this.title = title;
        }

        int newestVersion() {
            return newestVersion;
        }

        long magic() {
            return magic;
        }

        String title() {
            return title;
        }
    }

    /// The file that was finished when this one was begun.
    ///
    /// @param number 0 for none
    /// @param size its size in bytes when it was finished: all of it had been synced, and nothing but an end
    ///     record may follow, which a power cut may have lost
    /// @param lastSequence the last sequence number in it or before it
    public record Predecessor(long number, long size, long lastSequence) {
        public static final Predecessor NONE = new Predecessor(0, 0, 0);
    }
}
