package kvant.engine;

import java.util.List;

/// A store in this process: point reads are answered at once, from memory or from a disk.
///
/// It guarantees more than [Engine]: a scan is one immutable snapshot, a batch is never partly visible, and
/// conditions on any keys may guard a batch of any length. There is one copy of each key and no network, so requests
/// have no [Terms].
public non-sealed interface LocalEngine extends Engine {

    /// Looks a key up without ever blocking on a disk, so that event loops may call it.
    ///
    /// @return the result of [#get], or [Lookup.Miss#WOULD_BLOCK] when the answer is not in memory
    Lookup tryGet(byte[] key);

    /// Looks a key up; may block, so it is called from a worker.
    ///
    /// @return the value, or [Lookup.Miss#ABSENT]; never [Lookup.Miss#WOULD_BLOCK]
    /// @throws EngineException.Corruption when the bytes that hold the answer fail their checksum
    Lookup get(byte[] key);

    /// As [#tryGet(byte[])], but does not read a value that the filter does not want. An engine that can do so
    /// without reading the value overrides this.
    ///
    /// @return as there, or [Lookup.Described] for an unwanted value
    default Lookup tryGet(byte[] key, Lookup.Filter filter) {
        return filtered(tryGet(key), filter);
    }

    /// As [#get(byte[])], but does not read a value that the filter does not want. An engine that can do so without
    /// reading the value overrides this.
    ///
    /// @return as there, or [Lookup.Described] for an unwanted value
    default Lookup get(byte[] key, Lookup.Filter filter) {
        return filtered(get(key), filter);
    }

    /// Reads these keys in their order from one snapshot, taken after the start of the call; absent ones are left
    /// out. May block. An engine that was written for an earlier version has no such reads, and no transactions.
    ///
    /// @param records gets the arrays of the keys themselves
    default void read(List<byte[]> keys, RecordSink records) {
        throw new EngineException.Unsupported("this engine does not read several keys at one moment");
    }

    /// The extent to which [#tryScan] covered its range.
    enum Reach {
        /// The sink has all records of the range.
        WHOLE,
        /// A part of the range is not in memory.
        WOULD_BLOCK,
        /// The range is too long: it has more bytes than the bound, or much to skip.
        TOO_LONG
    }

    /// Reads a short range without ever blocking on a disk, so that event loops may call it. Shows the same records
    /// as a scan started now. An engine without such reads answers that it would block.
    default Reach tryScan(Range range, int maxBytes, RecordSink records) {
        return Reach.WOULD_BLOCK;
    }

    private static Lookup filtered(Lookup lookup, Lookup.Filter filter) {
        return lookup instanceof Lookup.Found found ? found.filtered(filter) : lookup;
    }
}
