package kvant.server.resp;

import org.jspecify.annotations.Nullable;

/// A change of one key that follows from what is there: it is read, and what becomes of it is written unless another
/// has written in between; then it begins anew. See [ReadModifyWrite].
public record Update(byte[] key, Change change) implements Action {

    /// What is there.
    ///
    /// @param expiresAtMillis wall-clock time in milliseconds since the epoch, or 0 for a value that stays
    public record Entry(byte[] value, long expiresAtMillis) {}

    /// What becomes of it.
    ///
    /// @param writes whether it changes; if not, `after` is what was there
    /// @param after null for nothing
    /// @param reply once it is written
    public record Result(boolean writes, @Nullable Entry after, Reply reply) {

        /// Nothing changes.
        static Result stays(@Nullable Entry present, Reply reply) {
            return new Result(false, present, reply);
        }

        static Result becomes(@Nullable Entry after, Reply reply) {
            return new Result(true, after, reply);
        }
    }

    /// Pure: it may be asked again, of another entry.
    @FunctionalInterface
    public interface Change {

        /// @param before null where there is none
        Result apply(@Nullable Entry before, long nowMillis);
    }
}
