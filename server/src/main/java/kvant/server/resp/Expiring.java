package kvant.server.resp;

import org.jspecify.annotations.Nullable;

/// `EXPIRE` and its kin, and `PERSIST`: changes when a value expires, and not the value.
///
/// @param expiresAtMillis 0 for never; what lies in the past removes the key
record Expiring(byte[] key, long expiresAtMillis, When when) implements Update {

    /// Under which condition on what is there.
    enum When {
        ALWAYS,
        /// It does not expire.
        STAYS,
        /// It expires.
        EXPIRES,
        /// That is later; a value that stays would expire earlier.
        LATER,
        /// That is earlier; a value that stays expires later than any.
        EARLIER
    }

    private static final Reply NO = new Reply.Number(0);
    private static final Reply YES = new Reply.Number(1);

    /// The value stays, if it was to expire.
    static Expiring never(byte[] key) {
        return new Expiring(key, 0, When.EXPIRES);
    }

    @Override
    public Result apply(@Nullable Entry before, long nowMillis) {
        if (before == null || !holds(before.expiresAtMillis())) {
            return Result.stays(before, NO);
        }
        boolean over = expiresAtMillis != 0 && expiresAtMillis <= nowMillis;
        return Result.becomes(over ? null : new Entry(before.value(), expiresAtMillis), YES);
    }

    private boolean holds(long present) {
        return switch (when) {
            case ALWAYS -> true;
            case STAYS -> present == 0;
            case EXPIRES -> present != 0;
            case LATER -> present != 0 && expiresAtMillis > present;
            case EARLIER -> present == 0 || expiresAtMillis < present;
        };
    }
}
