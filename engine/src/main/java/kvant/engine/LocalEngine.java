package kvant.engine;

/// A store of this process: point reads are answered at once, from memory or from a disk.
///
/// What it promises beyond [Engine]: a scan is one immutable snapshot, a batch is never seen half, and a condition
/// may guard a batch of any length; it is judged on the first key. There is one copy of each key and no network, so
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

    private static Lookup filtered(Lookup lookup, Lookup.Filter filter) {
        return lookup instanceof Lookup.Found found ? found.filtered(filter) : lookup;
    }
}
