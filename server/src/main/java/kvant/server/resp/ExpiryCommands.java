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
    private static final List<String> CONDITIONS = List.of("nx", "xx", "gt", "lt");
    private static final Set<String> ALWAYS = Set.of();

    /// The unit of a time in a command.
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
                // The value is its reply, and gone.
                CommandSpec.ofKey(
                        "getdel",
                        2,
                        Right.READ_AND_WRITE,
                        (_, _, words) -> expiring(words.get(1), LONG_AGO, ALWAYS, true)));
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
        long expiry = at(unit, word, nowMillis, command);
        if (Errors.integer(word) <= 0) {
            throw new WrongCommandException("ERR invalid expire time in '" + command + "' command");
        }
        return expiry;
    }

    private static long at(Unit unit, byte[] word, long nowMillis, String command) throws WrongCommandException {
        long number = Errors.integer(word);
        if (number > unit.most || number < -unit.most) {
            throw new WrongCommandException("ERR invalid expire time in '" + command + "' command");
        }
        long begin = unit == Unit.SECONDS || unit == Unit.MILLIS ? nowMillis : 0;
        return begin + number * unit.millis;
    }

    // --- Reads ---

    /// `TTL` and similar commands: the remaining time to live of a value, or its expiry time.
    private static CommandSpec left(String name, boolean seconds, boolean absolute) {
        return CommandSpec.ofKey(
                name,
                2,
                Right.READ,
                (c, _, words) -> c.one(
                        new Request.Record(words.get(1)), outcome -> left(c.nowMillis(), outcome, seconds, absolute)));
    }

    private static Reply left(long now, Outcome outcome, boolean seconds, boolean absolute) {
        long expires = outcome instanceof Outcome.Entry entry ? entry.expiresAtMillis() : LONG_AGO;
        if (expires == Request.Update.NEVER || expires <= now) {
            return new Reply.Number(expires == Request.Update.NEVER ? -1 : -2); // -2: there is no value
        }
        long millis = absolute ? expires : expires - now;
        // Rounded as Redis does, and right up to the latest time that there is.
        return new Reply.Number(seconds ? millis / 1000 + (millis % 1000 + 500) / 1000 : millis);
    }

    // --- Writes ---

    /// An older name for `SET` with an expiry option.
    private static CommandSpec setFor(String name, Unit unit) {
        return CommandSpec.ofKey(name, 4, Right.WRITE, (c, _, words) -> {
            long expires = expiry(unit, words.get(2), c.nowMillis(), name);
            Request request = Request.Update.put(words.get(1), words.get(3), expires, Precondition.Plain.NONE);
            return c.one(request, _ -> Reply.Plain.OK);
        });
    }

    /// `EXPIRE` and similar commands. A time before the epoch has passed, too.
    private static CommandSpec expire(String name, Unit unit) {
        return CommandSpec.ofKey(name, -3, Right.WRITE, (c, _, words) -> {
            Set<String> when = conditions(words.subList(3, words.size()));
            long expires = Math.max(LONG_AGO, at(unit, words.get(2), c.nowMillis(), name));
            return expiring(words.get(1), expires, when, false);
        });
    }

    /// `GETEX`, which is `GET` where no life time is given.
    private static Action getFor(Commands commands, List<byte[]> words) throws WrongCommandException {
        byte[] key = words.get(1);
        if (words.size() == 2) {
            return KeyCommands.get(commands, key);
        } else if (words.size() == 3 && Words.is(words.get(2), "persist")) {
            return never(key, true);
        }
        Unit unit = unit(words.get(2));
        if (unit == null || words.size() != 4) {
            throw new WrongCommandException(Errors.SYNTAX);
        }
        return expiring(key, expiry(unit, words.get(3), commands.nowMillis(), "getex"), ALWAYS, true);
    }

    /// The value stays, if it was to expire.
    private static Action never(byte[] key, boolean tellsValue) {
        return expiring(key, 0, Set.of("xx"), tellsValue);
    }

    /// @param expiresAtMillis 0 for never; a time in the past removes the key
    /// @param tellsValue whether the reply is the value, and not whether it was changed
    private static Action expiring(byte[] key, long expiresAtMillis, Set<String> when, boolean tellsValue) {
        return new Action.Update(key, view -> {
            View.Entry before = view.get(key);
            boolean changes = before != null && holds(when, before.expiresAtMillis(), expiresAtMillis);
            if (before != null && changes) {
                view.put(key, new View.Entry(before.value(), expiresAtMillis));
            }
            if (!tellsValue) {
                return new Reply.Number(changes ? 1 : 0);
            }
            return before == null ? Reply.Plain.NIL : new Reply.Bulk(before.value());
        });
    }

    /// @param words compatible ones of `NX`, `XX`, `GT`, `LT`
    private static Set<String> conditions(List<byte[]> words) throws WrongCommandException {
        Set<String> all = new HashSet<>();
        for (byte[] word : words) {
            if (!CONDITIONS.contains(Words.option(word))) {
                throw new WrongCommandException("ERR Unsupported option " + Errors.shortened(word));
            }
            all.add(Words.option(word));
        }
        if (all.contains("nx") && all.size() > 1) {
            throw new WrongCommandException("ERR NX and XX, GT or LT options at the same time are not compatible");
        } else if (all.contains("gt") && all.contains("lt")) {
            throw new WrongCommandException("ERR GT and LT options at the same time are not compatible");
        }
        return all;
    }

    /// A value that stays expires later than any.
    private static boolean holds(Set<String> when, long present, long next) {
        return (!when.contains("nx") || present == 0)
                && (!when.contains("xx") || present != 0)
                && (!when.contains("gt") || present != 0 && next > present)
                && (!when.contains("lt") || present == 0 || next < present);
    }
}
