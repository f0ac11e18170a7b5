package kvant.lsm.version;

/// The manifest's entry of a table.
///
/// @param number of the file
/// @param run the sorted run that it belongs to; a larger run is newer
/// @param id seeds the checksums in the file: another file under the same name has another one
/// @param bytes size of the file
/// @param checksum CRC32C of the whole file, seeded with the table's id
/// @param lastSequence the largest sequence number in it
public record TableInfo(long number, long run, long id, long bytes, int checksum, long lastSequence) {

    /// The same file as a member of another run.
    public TableInfo inRun(long other) {
        return new TableInfo(number, other, id, bytes, checksum, lastSequence);
    }
}
