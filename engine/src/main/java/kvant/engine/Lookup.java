package kvant.engine;

/// The answer to a point read.
///
/// A miss is one of two constants, so that only an answer that carries bytes allocates.
public sealed interface Lookup {

    /// The key is present.
    ///
    /// @param value the stored bytes; shared, never to be changed
    /// @param version what the write that stored it was given; grows with every write of the key
    record Found(byte[] value, long version) implements Lookup {}

    /// The key is not there, or its presence is not known without a disk.
    enum Miss implements Lookup {
        ABSENT,
        WOULD_BLOCK
    }
}
