package kvant.engine;

/// The answer to a point read.
///
/// A miss is one of two constants, so that only an answer about a value allocates.
public sealed interface Lookup {

    /// The key is present.
    ///
    /// @param value the stored bytes; shared, never to be changed
    /// @param version assigned by the write that stored the value; grows with every write of the key
    record Found(byte[] value, long version) implements Lookup {

        /// This record, or its description if the filter does not want the value.
        public Lookup filtered(Filter filter) {
            return filter.wants(version, value.length) ? this : new Described(version, value.length);
        }
    }

    /// The key is present, and its value was not wanted; see [Filter].
    ///
    /// @param version as in [Found]
    /// @param length of the value in bytes
    record Described(long version, int length) implements Lookup {}

    /// The key is absent, or its presence is not known without a disk read.
    enum Miss implements Lookup {
        ABSENT,
        WOULD_BLOCK
    }

    /// Decides whether the value of a found record is read. A caller that needs only its presence, or has no memory
    /// for it, leaves the value unread.
    ///
    /// Called by the thread that looks the key up. It is called again when the record is moved meanwhile; then the
    /// last answer counts. Throws nothing.
    @FunctionalInterface
    interface Filter {

        /// Leaves every value.
        Filter NONE = (_, _) -> false;

        /// @param version of the value
        /// @param length of the value in bytes
        boolean wants(long version, int length);
    }
}
