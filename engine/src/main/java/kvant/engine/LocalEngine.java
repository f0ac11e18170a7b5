package kvant.engine;

import java.util.List;

/// A store of this process: point reads are answered at once, from memory or from a disk.
///
/// What it promises beyond [Engine]: a scan is one immutable snapshot, a batch is never seen half, and conditions
/// on any keys may guard a batch of any length. There is one copy of each key and no network, so
/// requests have no [Terms].
public non-sealed interface LocalEngine extends Engine {

    /// Looks a key up without ever blocking on a disk, so that event loops may call it.
    ///
    /// @return what [#get] would return, or [Lookup.Miss#WOULD_BLOCK] when the answer is not in memory
    Lookup tryGet(byte[] key);

    /// Looks a key up; may block, so it is called from a worker.
    ///
    /// @return the value, or [Lookup.Miss#ABSENT]; never [Lookup.Miss#WOULD_BLOCK]
    /// @throws EngineException.Corruption when the bytes that hold the answer fail their checksum
    Lookup get(byte[] key);

    /// As [#tryGet(byte[])], but leaves a value that is not wanted. An engine that can do so without reading the value
    /// overrides this.
    ///
    /// @return as there, or [Lookup.Described] for a value that is not wanted
    default Lookup tryGet(byte[] key, Lookup.Filter filter) {
        return filtered(tryGet(key), filter);
    }

    /// As [#get(byte[])], but leaves a value that is not wanted. An engine that can do so without reading the value
    /// overrides this.
    ///
    /// @return as there, or [Lookup.Described] for a value that is not wanted
    default Lookup get(byte[] key, Lookup.Filter filter) {
        return filtered(get(key), filter);
    }

    /// Gives the records of these keys, in their order, as they were together at one moment that lies behind the call;
    /// those that are not there are left out. May block. An engine that was written for an earlier version has no
    /// such reads, and no transactions.
    ///
    /// @param records gets the arrays of the keys themselves
    default void read(List<byte[]> keys, RecordSink records) {
        throw new EngineException.Unsupported("this engine does not read several keys at one moment");
    }

    /// How far [#tryScan] came.
    enum Reach {
        /// The sink has all records of the range.
        WHOLE,
        /// A part of the range is not in memory.
        WOULD_BLOCK,
        /// The range is too long: more than so many bytes, or much to skip.
        TOO_LONG
    }

    /// Reads a short range without ever blocking on a disk, so that event loops may call it. Shows what a scan shows
    /// that starts now. An engine that cannot do so says that it would block.
    ///
    /// @param maxBytes bound of the keys and values that the sink gets
    /// @param records gets the records; worthless unless the range was reached whole
    default Reach tryScan(Range range, int maxBytes, RecordSink records) {
        return Reach.WOULD_BLOCK;
    }

    private static Lookup filtered(Lookup lookup, Lookup.Filter filter) {
        return lookup instanceof Lookup.Found found ? found.filtered(filter) : lookup;
    }
}
