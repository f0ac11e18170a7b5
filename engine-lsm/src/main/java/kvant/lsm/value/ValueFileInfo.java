package kvant.lsm.value;

/// The manifest's entry of a value file.
///
/// @param number of the file
/// @param id seeds the checksums in the file: another file under the same name has another one
/// @param bytes size of the file
/// @param checksum CRC32C of the whole file, seeded with its id
/// @param records how many values it was written with
public record ValueFileInfo(long number, long id, long bytes, int checksum, long records) {

    /// Size of its records; what no table refers to of them is garbage.
    public long recordBytes() {
        return bytes - ValueFileDescriptor.HEADER_BYTES - ValueFileDescriptor.FOOTER_BYTES;
    }
}
