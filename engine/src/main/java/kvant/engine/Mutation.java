package kvant.engine;

/// A change of one key.
public sealed interface Mutation {

    byte[] key();

    /// Stores a value.
    ///
    /// @param expiresAtMillis wall-clock time, in milliseconds since the epoch, from which the key reads as absent;
    ///     [#NEVER] for a value that stays
    record Put(byte[] key, byte[] value, long expiresAtMillis) implements Mutation {
        /// The expiry of a value that stays.
        public static final long NEVER = 0;

        /// The longest life that a client can ask for, in seconds: 285 million years. One bound for every way in, as
        /// an end beyond it may not fit in a `long`.
        public static final long MAX_LIFE_SECONDS = 9_000_000_000_000_000L;

        public Put(byte[] key, byte[] value) {
            this(key, value, NEVER);
        }
    }

    /// Removes a value; removing an absent key is no error.
    record Delete(byte[] key) implements Mutation {}
}
