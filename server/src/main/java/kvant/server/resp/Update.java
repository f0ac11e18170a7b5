package kvant.server.resp;

import org.jspecify.annotations.Nullable;

/// A change of one key that follows from what is there: it is read, and what becomes of it is written unless another
/// has written in between; then it begins anew. See [Updates].
public non-sealed interface Update extends Action {

    /// What is there.
    ///
    /// @param expiresAtMillis wall-clock time in milliseconds since the epoch, or 0 for a value that stays
    record Entry(byte[] value, long expiresAtMillis) {}

    /// What becomes of it.
    ///
    /// @param writes whether it changes; if not, `after` is what was there
    /// @param after null for nothing
    /// @param reply once it is written
    record Result(boolean writes, @Nullable Entry after, Reply reply) {

        /// Nothing changes.
        static Result stays(@Nullable Entry present, Reply reply) {
            return new Result(false, present, reply);
        }

        static Result becomes(@Nullable Entry after, Reply reply) {
            return new Result(true, after, reply);
        }
    }

    byte[] key();

    /// Pure: it may be asked again, of another entry.
    ///
    /// @param before null where there is none
    Result apply(@Nullable Entry before, long nowMillis);
}
