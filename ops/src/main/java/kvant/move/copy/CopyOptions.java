package kvant.move.copy;

/// The limits of a copy.
///
/// @param bytesPerSecond maximum read rate from the source, 0 for no limit
/// @param writeBytes approximate size of a write; a single record may exceed it
/// @param inFlightBytes maximum total size of unfinished writes; a single write may exceed it
/// @param inFlightWrites maximum number of unfinished writes
/// @param saveNanos minimum interval between two saves of the state
public record CopyOptions(
        long bytesPerSecond, long writeBytes, long inFlightBytes, int inFlightWrites, long saveNanos) {

    public static final CopyOptions DEFAULT = new CopyOptions(0, 256 << 10, 8 << 20, 256, 1_000_000_000);

    public CopyOptions withRate(long newBytesPerSecond) {
        return new CopyOptions(newBytesPerSecond, writeBytes, inFlightBytes, inFlightWrites, saveNanos);
    }
}
