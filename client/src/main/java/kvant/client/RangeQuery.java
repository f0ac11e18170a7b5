package kvant.client;

import java.util.Optional;

/// The range of a query, read in key order.
///
/// @param start the first key
/// @param end exclusive; empty for the end of the store
/// @param limit most records; empty for all
public record RangeQuery(Key start, Optional<Key> end, Optional<Long> limit) {

    public RangeQuery {
        limit.ifPresent(most -> {
            if (most < 1) {
                throw new IllegalArgumentException("a limit is 1 or more, not " + most);
            }
        });
    }

    /// From this key on.
    public static RangeQuery from(Key start) {
        return new RangeQuery(start, Optional.empty(), Optional.empty());
    }

    /// From this key to the one before that.
    public static RangeQuery between(Key start, Key end) {
        return new RangeQuery(start, Optional.of(end), Optional.empty());
    }

    /// The keys that begin with this one, itself among them.
    public static RangeQuery prefix(Key prefix) {
        return new RangeQuery(prefix, prefix.afterPrefix(), Optional.empty());
    }

    public RangeQuery limit(long most) {
        return new RangeQuery(start, end, Optional.of(most));
    }
}
