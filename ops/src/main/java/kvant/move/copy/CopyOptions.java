package kvant.move.copy;

/// The bounds of a copy.
///
/// @param bytesPerSecond most bytes read from the source in a second, 0 for no limit
/// @param writeBytes about how much one write holds; one record is always let in
/// @param inFlightBytes most bytes of writes without an outcome; one write is always let in
/// @param inFlightWrites most writes without an outcome
/// @param saveNanos how often at most the state is saved
public record CopyOptions(
        long bytesPerSecond, long writeBytes, long inFlightBytes, int inFlightWrites, long saveNanos) {

    public static final CopyOptions DEFAULT = new CopyOptions(0, 256 << 10, 8 << 20, 256, 1_000_000_000);

    public CopyOptions withRate(long newBytesPerSecond) {
        return new CopyOptions(newBytesPerSecond, writeBytes, inFlightBytes, inFlightWrites, saveNanos);
    }
}
