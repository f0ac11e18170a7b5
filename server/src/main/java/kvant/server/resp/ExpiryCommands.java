package kvant.server.resp;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import kvant.engine.Mutation;
import kvant.server.request.Outcome;
import kvant.server.request.Precondition;
import kvant.server.request.Request;
import kvant.server.resp.CommandSpec.Right;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// The commands about when a value expires. `EXPIRE` and its kin and `PERSIST` change that, and not the value; `GETEX`
/// and `GETDEL` do, too, and have the value as their reply.
final class ExpiryCommands {

    /// The earliest time that is one: 0 is none.
    private static final long LONG_AGO = 1;

    private static final long MILLIS_PER_SECOND = 1000;
    private static final List<String> OPTIONS = List.of("nx", "xx", "gt", "lt");
    private static final Reply NO = new Reply.Number(0);
    private static final Reply YES = new Reply.Number(1);

    /// Of which time a number speaks.
    enum Unit {
        SECONDS("ex", MILLIS_PER_SECOND, Mutation.Put.MAX_LIFE_SECONDS),
        MILLIS("px", 1, Mutation.Put.MAX_LIFE_SECONDS * MILLIS_PER_SECOND),
        /// Since 1970.
        AT_SECONDS("exat", MILLIS_PER_SECOND, Long.MAX_VALUE / MILLIS_PER_SECOND),
        /// Since 1970.
        AT_MILLIS("pxat", 1, Long.MAX_VALUE);

        private static final List<Unit> ALL = List.of(values());

        private final String option;
        private final long millis;
        private final long most;

        Unit(String option, long millis, long most) {
            this.option = option;
            this.millis = millis;
            this.most = most;
        }
    }

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
        EXPIRES_EARLIER
    }

    private ExpiryCommands() {}

    static List<CommandSpec> specs() {
        return List.of(
                setFor("setex", Unit.SECONDS),
                setFor("psetex", Unit.MILLIS),
                left("ttl", true, false),
                left("pttl", false, false),
                left("expiretime", true, true),
                left("pexpiretime", false, true),
                expire("expire", Unit.SECONDS),
                expire("pexpire", Unit.MILLIS),
                expire("expireat", Unit.AT_SECONDS),
                expire("pexpireat", Unit.AT_MILLIS),
                CommandSpec.ofKey("persist", 2, Right.WRITE, (_, _, words) -> never(words.get(1), false)),
                CommandSpec.ofKey("getex", -2, Right.READ_AND_WRITE, (c, _, words) -> getFor(c, words)),
                CommandSpec.ofKey("getdel", 2, Right.READ_AND_WRITE, (_, _, words) -> taken(words.get(1))));
    }

    // --- Times ---

    /// @return null where a word is none of the options of SET
    static @Nullable Unit unit(byte[] word) {
        for (Unit unit : Unit.ALL) {
            if (Words.is(word, unit.option)) {
                return unit;
            }
        }
        return null;
    }

    /// @return milliseconds since the epoch, more than 0
    /// @throws WrongCommandException where it is no number, or no time in the future of the epoch
    static long expiry(Unit unit, byte[] word, long nowMillis, String command) throws WrongCommandException {
        long number = Errors.integer(word, Errors.NOT_AN_INTEGER);
        if (number <= 0) {
            throw new WrongCommandException(Errors.wrongExpiry(command));
        }
        return at(unit, number, nowMillis, command);
    }

    private static long at(Unit unit, long number, long nowMillis, String command) throws WrongCommandException {
        if (number > unit.most || number < -unit.most) {
            throw new WrongCommandException(Errors.wrongExpiry(command));
        }
        long begin = unit == Unit.SECONDS || unit == Unit.MILLIS ? nowMillis : 0;
        return begin + number * unit.millis;
    }

    // --- Reads ---

    /// How long a value lives, or until when.
    private static CommandSpec left(String name, boolean seconds, boolean absolute) {
        return CommandSpec.ofKey(
                name,
                2,
                Right.READ,
                (c, _, words) ->
                        c.one(new Request.Record(words.get(1)), outcome -> left(c, outcome, seconds, absolute)));
    }

    private static Reply left(Commands commands, Outcome outcome, boolean seconds, boolean absolute) {
        long now = commands.nowMillis();
        long expires = outcome instanceof Outcome.Entry entry ? entry.expiresAtMillis() : 1;
        if (expires != Request.Update.NEVER && expires <= now) {
            return new Reply.Number(-2); // there is no value
        }
        if (expires == Request.Update.NEVER) {
            return new Reply.Number(-1);
        }
        long millis = absolute ? expires : expires - now;
        // Rounded as Redis does, and right up to the latest time that there is.
        return new Reply.Number(seconds ? millis / 1000 + (millis % 1000 + 500) / 1000 : millis);
    }

    // --- Writes ---

    /// What `SET` does with an option, under a name that it had before.
    private static CommandSpec setFor(String name, Unit unit) {
        return CommandSpec.ofKey(name, 4, Right.WRITE, (c, _, words) -> {
            long expires = expiry(unit, words.get(2), c.nowMillis(), name);
            Request request = Request.Update.put(words.get(1), words.get(3), expires, Precondition.Plain.NONE);
            return c.one(request, _ -> Reply.Plain.OK);
        });
    }

    /// What lies before the epoch is over, too.
    private static CommandSpec expire(String name, Unit unit) {
        return CommandSpec.ofKey(name, -3, Right.WRITE, (c, _, words) -> {
            When when = when(words.subList(3, words.size()));
            long number = Errors.integer(words.get(2), Errors.NOT_AN_INTEGER);
            return expiring(words.get(1), Math.max(LONG_AGO, at(unit, number, c.nowMillis(), name)), when, false);
        });
    }

    /// `GETEX`, which is `GET` where no life time is given.
    private static Action getFor(Commands commands, List<byte[]> words) throws WrongCommandException {
        byte[] key = words.get(1);
        if (words.size() == 2) {
            return KeyCommands.get(commands, key);
        }
        if (words.size() == 3 && Words.is(words.get(2), "persist")) {
            return never(key, true);
        }
        Unit unit = unit(words.get(2));
        if (unit == null || words.size() != 4) {
            throw new WrongCommandException(Errors.SYNTAX);
        }
        return expiring(key, expiry(unit, words.get(3), commands.nowMillis(), "getex"), When.ALWAYS, true);
    }

    /// The value stays, if it was to expire.
    private static Update never(byte[] key, boolean tellsValue) {
        return expiring(key, 0, When.EXPIRES, tellsValue);
    }

    /// The value is its reply, and gone.
    private static Update taken(byte[] key) {
        return expiring(key, LONG_AGO, When.ALWAYS, true);
    }

    /// @param expiresAtMillis 0 for never; what lies in the past removes the key
    /// @param tellsValue whether the reply is the value, and not whether it was changed
    private static Update expiring(byte[] key, long expiresAtMillis, When when, boolean tellsValue) {
        return new Update(key, (before, nowMillis) -> {
            if (before == null) {
                return Update.Result.stays(null, tellsValue ? Reply.Plain.NIL : NO);
            }
            Reply value = tellsValue ? new Reply.Bulk(before.value()) : null;
            if (!holds(when, before.expiresAtMillis(), expiresAtMillis)) {
                return Update.Result.stays(before, value == null ? NO : value);
            }
            boolean over = expiresAtMillis != 0 && expiresAtMillis <= nowMillis;
            Update.Entry after = over ? null : new Update.Entry(before.value(), expiresAtMillis);
            return Update.Result.becomes(after, value == null ? YES : value);
        });
    }

    /// @param words `NX`, `XX`, `GT`, `LT`, those of them that go together
    private static When when(List<byte[]> words) throws WrongCommandException {
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
            throw new WrongCommandException(Errors.error("ERR GT and LT options at the same time are not compatible"));
        } else if (options.contains("nx")) {
            return When.STAYS;
        } else if (options.contains("gt")) {
            return When.LATER; // what it is later than expires
        } else if (options.contains("lt")) {
            return options.contains("xx") ? When.EXPIRES_EARLIER : When.EARLIER;
        }
        return options.contains("xx") ? When.EXPIRES : When.ALWAYS;
    }

    private static boolean holds(When when, long present, long next) {
        return switch (when) {
            case ALWAYS -> true;
            case STAYS -> present == 0;
            case EXPIRES -> present != 0;
            case LATER -> present != 0 && next > present;
            case EARLIER -> present == 0 || next < present;
            case EXPIRES_EARLIER -> present != 0 && next < present;
        };
    }
}
