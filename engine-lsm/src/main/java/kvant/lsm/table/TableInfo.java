package kvant.lsm.table;

import java.util.List;
import kvant.lsm.value.ValueReference;

/// The manifest's entry of a table.
///
/// @param number of the file
/// @param run the sorted run that it belongs to; a larger run is newer
/// @param id seeds the checksums in the file: another file under the same name has another one
/// @param bytes size of the file
/// @param checksum CRC32C of the whole file, seeded with the table's id
/// @param lastSequence the largest sequence number in it
/// @param values its references to value files, by number of the file
public record TableInfo(
        long number, long run, long id, long bytes, int checksum, long lastSequence, List<ValueReference> values) {

    public TableInfo {
        values = List.copyOf(values);
    }

    /// The same file as a member of another run.
    public TableInfo inRun(long other) {
        return new TableInfo(number, other, id, bytes, checksum, lastSequence, values);
    }

    public TableInfo referringTo(List<ValueReference> references) {
        return new TableInfo(number, run, id, bytes, checksum, lastSequence, references);
    }

    /// Size of the records of value files that it refers to.
    public long valueBytes() {
        long sum = 0;
        for (ValueReference each : values) {
            sum += each.bytes();
        }
        return sum;
    }
}
