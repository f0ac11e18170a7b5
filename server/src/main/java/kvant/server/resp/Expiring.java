package kvant.server.resp;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// `EXPIRE` and its kin, and `PERSIST`: changes when a value expires, and not the value. `GETEX` and `GETDEL` do that,
/// too, and have the value as their reply.
///
/// @param expiresAtMillis 0 for never; what lies in the past removes the key
/// @param tellsValue whether the reply is the value, and not whether it was changed
record Expiring(byte[] key, long expiresAtMillis, When when, boolean tellsValue) implements Update {

    private static final List<String> OPTIONS = List.of("nx", "xx", "gt", "lt");

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
        EARLIER,
        /// It expires, and that is earlier.
        EXPIRES_EARLIER;

        /// @param words `NX`, `XX`, `GT`, `LT`, those of them that go together
        static When of(List<byte[]> words) throws WrongCommandException {
            Set<String> options = new HashSet<>();
            for (byte[] word : words) {
                options.add(OPTIONS.stream()
                        .filter(option -> Words.is(word, option))
                        .findFirst()
                        .orElseThrow(() -> new WrongCommandException(
                                Errors.error("ERR Unsupported option " + Errors.shortened(word)))));
            }
            if (options.contains("nx") && options.size() > 1) {
                throw new WrongCommandException(
                        Errors.error("ERR NX and XX, GT or LT options at the same time are not compatible"));
            } else if (options.contains("gt") && options.contains("lt")) {
                throw new WrongCommandException(
                        Errors.error("ERR GT and LT options at the same time are not compatible"));
            } else if (options.contains("nx")) {
                return STAYS;
            } else if (options.contains("gt")) {
                return LATER; // what it is later than expires
            } else if (options.contains("lt")) {
                return options.contains("xx") ? EXPIRES_EARLIER : EARLIER;
            }
            return options.contains("xx") ? EXPIRES : ALWAYS;
        }
    }

    private static final Reply NO = new Reply.Number(0);
    private static final Reply YES = new Reply.Number(1);

    /// The value stays, if it was to expire.
    static Expiring never(byte[] key, boolean tellsValue) {
        return new Expiring(key, 0, When.EXPIRES, tellsValue);
    }

    /// The value is its reply, and gone.
    static Expiring taken(byte[] key) {
        return new Expiring(key, Expiry.LONG_AGO, When.ALWAYS, true);
    }

    @Override
    public Result apply(@Nullable Entry before, long nowMillis) {
        if (before == null) {
            return Result.stays(null, tellsValue ? Reply.Plain.NIL : NO);
        }
        if (!holds(before.expiresAtMillis())) {
            return Result.stays(before, reply(before, NO));
        }
        boolean over = expiresAtMillis != 0 && expiresAtMillis <= nowMillis;
        return Result.becomes(over ? null : new Entry(before.value(), expiresAtMillis), reply(before, YES));
    }

    private Reply reply(Entry before, Reply outcome) {
        return tellsValue ? new Reply.Bulk(before.value()) : outcome;
    }

    private boolean holds(long present) {
        return switch (when) {
            case ALWAYS -> true;
            case STAYS -> present == 0;
            case EXPIRES -> present != 0;
            case LATER -> present != 0 && expiresAtMillis > present;
            case EARLIER -> present == 0 || expiresAtMillis < present;
            case EXPIRES_EARLIER -> present != 0 && expiresAtMillis < present;
        };
    }
}
