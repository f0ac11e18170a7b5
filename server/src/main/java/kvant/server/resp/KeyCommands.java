package kvant.server.resp;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import kvant.server.request.Outcome;
import kvant.server.request.Precondition;
import kvant.server.request.Request;
import kvant.server.resp.CommandSpec.Right;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// The commands that read and write values.
final class KeyCommands {

    private static final Reply STRING = Reply.Raw.of("+string\r\n");
    private static final Reply NONE = Reply.Raw.of("+none\r\n");

    private KeyCommands() {}

    static List<CommandSpec> specs() {
        return List.of(
                CommandSpec.ofKey("get", 2, Right.READ, (c, _, words) -> get(c, words.get(1))),
                CommandSpec.ofKey("set", -3, Right.WRITE, KeyCommands::set),
                CommandSpec.ofKey(
                        "strlen", 2, Right.READ, (c, _, words) -> c.one(look(words.get(1)), KeyCommands::length)),
                CommandSpec.ofKey("type", 2, Right.READ, (c, _, words) -> c.one(look(words.get(1)), KeyCommands::type)),
                CommandSpec.ofKeys("exists", -2, Right.READ, 1, (c, _, words) -> count(c, words, KeyCommands::look)),
                CommandSpec.ofKeys("touch", -2, Right.READ, 1, (c, _, words) -> count(c, words, KeyCommands::look)),
                CommandSpec.ofKeys(
                        "mget", -2, Right.READ, 1, (c, _, words) -> several(c, words, KeyCommands::get, false)),
                CommandSpec.ofKeys("mset", -3, Right.WRITE, 2, (c, _, words) -> setAll(c, words)),
                CommandSpec.ofKeys("del", -2, Right.WRITE, 1, (c, _, words) -> count(c, words, KeyCommands::deletion)),
                CommandSpec.ofKeys(
                        "unlink", -2, Right.WRITE, 1, (c, _, words) -> count(c, words, KeyCommands::deletion)),
                CommandSpec.ofKey("setnx", 3, Right.WRITE, (c, _, words) -> c.one(setAbsent(words), KeyCommands::hit)),
                CommandSpec.ofKey("getset", 3, Right.READ_AND_WRITE, (_, _, words) -> SetOptions.OLD.update(words)),
                // The reply of these is the value.
                CommandSpec.ofKey("incr", 2, Right.READ_AND_WRITE, (_, _, words) -> added(words, 1)),
                CommandSpec.ofKey("decr", 2, Right.READ_AND_WRITE, (_, _, words) -> added(words, -1)),
                CommandSpec.ofKey("incrby", 3, Right.READ_AND_WRITE, (_, _, words) -> added(words, by(words))),
                CommandSpec.ofKey("decrby", 3, Right.READ_AND_WRITE, (_, _, words) -> subtracted(words)));
    }

    // --- Reads ---

    static Command get(Commands commands, byte[] key) {
        return commands.one(get(key), KeyCommands::value);
    }

    private static Request get(byte[] key) {
        return new Request.Get(key, Precondition.Plain.NONE);
    }

    /// Asks for the presence and length of a value.
    private static Request look(byte[] key) {
        return new Request.Get(key, Precondition.Plain.NONE, Request.USUAL_ACKS, true);
    }

    private static Reply value(Outcome outcome) {
        return outcome instanceof Outcome.Found(byte[] value, long _) ? new Reply.Bulk(value) : Reply.Plain.NIL;
    }

    private static Reply length(Outcome outcome) {
        return new Reply.Number(outcome instanceof Outcome.Described(long _, int bytes) ? bytes : 0);
    }

    private static Reply type(Outcome outcome) {
        return Command.isMiss(outcome) ? NONE : STRING;
    }

    private static Reply hit(Outcome outcome) {
        return new Reply.Number(Command.isMiss(outcome) ? 0 : 1);
    }

    /// For how many of the keys there was something.
    private static Command count(Commands commands, List<byte[]> words, Command.Asker asker) {
        return words.size() == 2
                ? commands.one(asker.request(words.get(1)), KeyCommands::hit)
                : several(commands, words, asker, true);
    }

    private static Command several(Commands commands, List<byte[]> words, Command.Asker asker, boolean counts) {
        return new Command.Several(words.subList(1, words.size()), asker, counts, commands.paths());
    }

    // --- Writes ---

    private static Action set(Commands commands, Session session, List<byte[]> words) throws WrongCommandException {
        SetOptions options = SetOptions.of(words, commands.nowMillis());
        byte[] key = words.get(1);
        if ((options.returnsOld || options.compared != null) && !session.mayRead()) {
            throw new WrongCommandException(Errors.notAllowed("set with get or a comparison", "read"));
        }
        if (options.returnsOld || options.keepsExpiry || options.compared != null) { // what is there has to be read
            return options.update(words);
        }
        Precondition precondition = options.onlyAbsent
                ? Precondition.Plain.ABSENT
                : options.onlyPresent ? Precondition.Plain.PRESENT : Precondition.Plain.NONE;
        boolean over = options.expiresAtMillis != 0 && options.expiresAtMillis <= commands.nowMillis();
        Request request = over
                ? Request.Update.delete(key, precondition)
                : Request.Update.put(key, words.get(2), options.expiresAtMillis, precondition);
        return commands.one(request, outcome -> Command.isMiss(outcome) ? Reply.Plain.NIL : Reply.Plain.OK);
    }

    private static Request setAbsent(List<byte[]> words) {
        return Request.Update.put(words.get(1), words.get(2), Request.Update.NEVER, Precondition.Plain.ABSENT);
    }

    private static Command setAll(Commands commands, List<byte[]> words) throws WrongCommandException {
        if (words.size() % 2 == 0) {
            throw new WrongCommandException(Errors.wrongNumber("mset"));
        }
        return commands.one(Request.Update.puts(words, 1), _ -> Reply.Plain.OK);
    }

    private static Request deletion(byte[] key) {
        return Request.Update.delete(key, Precondition.Plain.PRESENT);
    }

    /// What stands behind the value of a `SET`.
    ///
    /// @param expiresAtMillis 0 for a value that stays
    /// @param compared what the present value has to be (`IFEQ`), or not to be (`IFNE`); null for anything
    private record SetOptions(
            boolean onlyAbsent,
            boolean onlyPresent,
            boolean returnsOld,
            boolean keepsExpiry,
            long expiresAtMillis,
            byte @Nullable [] compared) {

        private static final int FIRST = 3;
        private static final SetOptions NONE = new SetOptions(false, false, false, false, 0, null);

        /// `GET` alone.
        private static final SetOptions OLD = new SetOptions(false, false, true, false, 0, null);

        /// @param words of the whole command
        static SetOptions of(List<byte[]> words, long nowMillis) throws WrongCommandException {
            if (words.size() == FIRST) {
                return NONE;
            }
            boolean absent = false;
            boolean present = false;
            boolean old = false;
            boolean keeps = false;
            long expiresAt = 0;
            byte[] compared = null;
            for (int i = FIRST; i < words.size(); i++) {
                byte[] word = words.get(i);
                ExpiryCommands.Unit unit = ExpiryCommands.unit(word);
                if (unit != null && expiresAt == 0 && !keeps && i + 1 < words.size()) {
                    expiresAt = ExpiryCommands.expiry(unit, words.get(++i), nowMillis, "set");
                } else if (Words.is(word, "nx") && !present && compared == null) {
                    absent = true;
                } else if (Words.is(word, "xx") && !absent && compared == null) {
                    present = true;
                } else if (isComparison(word) && !present && !absent && compared == null && i + 1 < words.size()) {
                    present = Words.is(word, "ifeq");
                    compared = words.get(++i);
                } else if (Words.is(word, "get")) {
                    old = true;
                } else if (Words.is(word, "keepttl") && expiresAt == 0) {
                    keeps = true;
                } else {
                    throw new WrongCommandException(Errors.SYNTAX);
                }
            }
            return new SetOptions(absent, present, old, keeps, expiresAt, compared);
        }

        Action.Update update(List<byte[]> words) {
            return new Action.Update(words.get(1), view -> apply(words.get(1), words.get(2), view));
        }

        private Reply apply(byte[] key, byte[] value, View view) throws WrongCommandException {
            View.Entry before = view.get(key);
            boolean holds = onlyAbsent ? before == null : !onlyPresent || before != null;
            if (compared != null && before != null) {
                holds = Arrays.equals(compared, before.value()) == onlyPresent;
            }
            if (holds) {
                long kept = before == null ? 0 : before.expiresAtMillis();
                view.put(key, new View.Entry(value, keepsExpiry ? kept : expiresAtMillis));
            }
            Reply old = before == null ? Reply.Plain.NIL : new Reply.Bulk(before.value());
            return returnsOld ? old : holds ? Reply.Plain.OK : Reply.Plain.NIL;
        }
    }

    static boolean isComparison(byte[] word) throws WrongCommandException {
        if (Words.is(word, "ifdeq") || Words.is(word, "ifdne")) {
            throw new WrongCommandException(Errors.NO_DIGESTS);
        }
        return Words.is(word, "ifeq") || Words.is(word, "ifne");
    }

    // --- Numbers ---

    private static long by(List<byte[]> words) throws WrongCommandException {
        return Errors.integer(words.get(2));
    }

    private static Action.Update subtracted(List<byte[]> words) throws WrongCommandException {
        long less = by(words);
        if (less == Long.MIN_VALUE) {
            throw new WrongCommandException("ERR decrement would overflow");
        }
        return added(words, -less);
    }

    /// Adds to a decimal number, or to 0 if there is none. Its life time stays.
    private static Action.Update added(List<byte[]> words, long delta) {
        byte[] key = words.get(1);
        return new Action.Update(key, view -> {
            View.Entry before = view.get(key);
            long number = before == null ? 0 : Errors.integer(before.value());
            long sum = number + delta;
            if (((number ^ sum) & (delta ^ sum)) < 0) {
                throw new WrongCommandException("ERR increment or decrement would overflow");
            }
            view.replace(key, Long.toString(sum).getBytes(StandardCharsets.US_ASCII));
            return new Reply.Number(sum);
        });
    }
}
