package kvant.engine;

/// The answer to a point read.
///
/// A miss is one of two constants, so that only an answer about a value allocates.
public sealed interface Lookup {

    /// The key is present.
    ///
    /// @param value the stored bytes; shared, never to be changed
    /// @param version what the write that stored it was given; grows with every write of the key
    record Found(byte[] value, long version) implements Lookup {

        /// This, or what it is without its value where that is not wanted.
        public Lookup filtered(Filter filter) {
            return filter.wants(version, value.length) ? this : new Described(version, value.length);
        }
    }

    /// The key is present, and its value was not wanted; see [Filter].
    ///
    /// @param version as in [Found]
    /// @param length of the value in bytes
    record Described(long version, int length) implements Lookup {}

    /// The key is not there, or its presence is not known without a disk.
    enum Miss implements Lookup {
        ABSENT,
        WOULD_BLOCK
    }

    /// Decides whether a value that was found is read: who only asks what is there, or has no memory for the value,
    /// leaves it where it is.
    ///
    /// Called by the thread that looks the key up; once more where what it found is moved meanwhile, and then
    /// the last answer counts. Throws nothing.
    @FunctionalInterface
    interface Filter {

        /// Leaves every value.
        Filter NONE = (_, _) -> false;

        /// @param version of the value
        /// @param length of the value in bytes
        boolean wants(long version, int length);
    }
}
