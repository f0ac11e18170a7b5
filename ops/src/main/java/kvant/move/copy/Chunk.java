package kvant.move.copy;

/// Consecutive records of the source, written to the target together if it accepts writes of that size. Belongs
/// to the thread of the copy.
final class Chunk {

    final byte[] lastKey;
    final int records;
    final long bytes;

    /// Writes of its records that have no outcome yet.
    int writesLeft = 1;

    Chunk(byte[] lastKey, int records, long bytes) {
        this.lastKey = lastKey;
        this.records = records;
        this.bytes = bytes;
    }
}
