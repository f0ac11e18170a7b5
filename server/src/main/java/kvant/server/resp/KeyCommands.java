package kvant.server.resp;

import java.nio.charset.StandardCharsets;
import java.util.List;
import kvant.server.request.Outcome;
import kvant.server.request.Precondition;
import kvant.server.request.Request;
import kvant.server.resp.CommandSpec.Right;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// The commands that read and write values.
final class KeyCommands {

    private static final Reply DECREMENT_OVERFLOW = Errors.error("ERR decrement would overflow");

    private static final Reply STRING = Reply.Raw.of("+string\r\n");
    private static final Reply NONE = Reply.Raw.of("+none\r\n");

    private KeyCommands() {}

    static List<CommandSpec> specs() {
        return List.of(
                CommandSpec.ofKey("get", 2, Right.READ, (c, _, words) -> get(c, words.get(1))),
                CommandSpec.ofKey(
                        "strlen", 2, Right.READ, (c, _, words) -> c.one(look(words.get(1)), KeyCommands::length)),
                CommandSpec.ofKeys("exists", -2, Right.READ, 1, (c, _, words) -> count(c, words, KeyCommands::look)),
                CommandSpec.ofKeys("touch", -2, Right.READ, 1, (c, _, words) -> count(c, words, KeyCommands::look)),
                CommandSpec.ofKey("type", 2, Right.READ, (c, _, words) -> c.one(look(words.get(1)), KeyCommands::type)),
                CommandSpec.ofKeys("mget", -2, Right.READ, 1, (c, _, words) -> getAll(c, words)),
                CommandSpec.ofKey("set", -3, Right.WRITE, KeyCommands::set),
                CommandSpec.ofKeys("mset", -3, Right.WRITE, 2, (c, _, words) -> setAll(c, words)),
                CommandSpec.ofKeys("del", -2, Right.WRITE, 1, (c, _, words) -> count(c, words, KeyCommands::deletion)),
                CommandSpec.ofKeys(
                        "unlink", -2, Right.WRITE, 1, (c, _, words) -> count(c, words, KeyCommands::deletion)),
                new CommandSpec("scan", -2, Right.READ, 0, 0, 0, (c, _, words) -> Scanning.of(c, words)),
                CommandSpec.ofKey(
                        "setnx", 3, Right.WRITE, (c, _, words) -> c.one(setAbsent(words), KeyCommands::oneIfThere)),
                CommandSpec.ofKey("getset", 3, Right.READ_AND_WRITE, (_, _, words) -> getSet(words)),
                // The reply of these is the value.
                CommandSpec.ofKey("incr", 2, Right.READ_AND_WRITE, (_, _, words) -> added(words.get(1), 1)),
                CommandSpec.ofKey("decr", 2, Right.READ_AND_WRITE, (_, _, words) -> added(words.get(1), -1)),
                CommandSpec.ofKey(
                        "incrby", 3, Right.READ_AND_WRITE, (_, _, words) -> added(words.get(1), integer(words))),
                CommandSpec.ofKey("decrby", 3, Right.READ_AND_WRITE, (_, _, words) -> subtracted(words)));
    }

    // --- Reads ---

    static Command get(Commands commands, byte[] key) {
        return commands.one(get(key), KeyCommands::value);
    }

    private static Request get(byte[] key) {
        return new Request.Get(key, Precondition.Plain.NONE);
    }

    /// That there is a value, and how long it is.
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

    private static Reply oneIfThere(Outcome outcome) {
        return new Reply.Number(Command.isMiss(outcome) ? 0 : 1);
    }

    private static Command getAll(Commands commands, List<byte[]> words) {
        return new Command.Values(keys(words), KeyCommands::get, commands.paths());
    }

    /// For how many of the keys there was something.
    private static Command count(Commands commands, List<byte[]> words, Command.MultiKey.Asker asker) {
        return words.size() == 2
                ? commands.one(asker.request(words.get(1)), KeyCommands::oneIfThere)
                : new Command.Count(keys(words), asker, commands.paths());
    }

    private static List<byte[]> keys(List<byte[]> words) {
        return words.subList(1, words.size());
    }

    // --- Writes ---

    private static Action set(Commands commands, Session session, List<byte[]> words) throws WrongCommandException {
        SetOptions options = SetOptions.of(words, commands.nowMillis());
        byte[] key = words.get(1);
        byte[] value = words.get(2);
        if ((options.returnsOld() || options.compared() != null) && !session.mayRead()) {
            throw new WrongCommandException(Errors.notAllowed("set with get or a comparison", "read"));
        }
        if (options.needsEntry()) {
            return options.update(key, value);
        }
        Precondition precondition = options.onlyAbsent()
                ? Precondition.Plain.ABSENT
                : options.onlyPresent() ? Precondition.Plain.PRESENT : Precondition.Plain.NONE;
        Request request = options.isOver(commands.nowMillis())
                ? Request.Update.delete(key, precondition)
                : Request.Update.put(key, value, options.expiresAtMillis(), precondition);
        return commands.one(request, outcome -> Command.isMiss(outcome) ? Reply.Plain.NIL : Reply.Plain.OK);
    }

    private static Request setAbsent(List<byte[]> words) {
        return Request.Update.put(words.get(1), words.get(2), Request.Update.NEVER, Precondition.Plain.ABSENT);
    }

    private static Update getSet(List<byte[]> words) {
        return SetOptions.OLD.update(words.get(1), words.get(2));
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

    // --- Numbers ---

    private static long integer(List<byte[]> words) throws WrongCommandException {
        return Errors.integer(words.get(2), Errors.NOT_AN_INTEGER);
    }

    private static Update subtracted(List<byte[]> words) throws WrongCommandException {
        long less = integer(words);
        if (less == Long.MIN_VALUE) {
            throw new WrongCommandException(DECREMENT_OVERFLOW);
        }
        return added(words.get(1), -less);
    }

    /// Adds to a decimal number, or to 0 where there is none. Its life time stays.
    private static Update added(byte[] key, long delta) {
        return new Update(key, (before, _) -> added(before, delta));
    }

    private static Update.Result added(Update.@Nullable Entry before, long delta) {
        long sum;
        try {
            sum = Math.addExact(before == null ? 0 : Words.integer(before.value()), delta);
        } catch (Words.NotAnIntegerException _) {
            return Update.Result.stays(before, Errors.NOT_AN_INTEGER);
        } catch (ArithmeticException _) {
            return Update.Result.stays(before, Errors.OVERFLOW);
        }
        byte[] digits = Long.toString(sum).getBytes(StandardCharsets.US_ASCII);
        Update.Entry after = new Update.Entry(digits, before == null ? 0 : before.expiresAtMillis());
        return Update.Result.becomes(after, new Reply.Number(sum));
    }
}
