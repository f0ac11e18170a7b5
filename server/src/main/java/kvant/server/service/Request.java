package kvant.server.service;

import org.jspecify.annotations.Nullable;

/// What a client asks for, free of how it was asked.
public sealed interface Request {

    /// The value of a key.
    record Get(byte[] key, Precondition precondition) implements Request {}

    /// Stores a value.
    ///
    /// @param value handed to the engine as it is, never copied
    /// @param ttlSeconds life time, or [#NO_TTL] for a value that stays
    record Put(byte[] key, byte[] value, long ttlSeconds, Precondition precondition) implements Request {
        public static final long NO_TTL = 0;
    }

    /// Removes a key.
    record Delete(byte[] key, Precondition precondition) implements Request {}

    /// Several puts and deletes, all or none.
    ///
    /// @param body in the [BatchFormat]
    record Batch(byte[] body) implements Request {}

    /// The records of `[start, end)`, in order; answered in several rounds, see [Service#resume].
    ///
    /// @param end null for the end of the store
    /// @param limit most records
    record Scan(byte[] start, byte @Nullable [] end, long limit) implements Request {}

    /// A page about the node, made on a thread of its own kind: it may take long and must not be in anyone's
    /// way.
    ///
    /// @param accept media types that the client asks for
    record Page(PageSource source, String accept) implements Request {}

    /// Questions about the node itself.
    enum Probe implements Request {
        /// Does the process answer?
        ALIVE,
        /// Can the engine read and write?
        READY
    }
}
