package kvant.server.resp;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import kvant.server.access.Scope;
import kvant.server.resp.Values.Unit;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// A command: its name, number of words, permission and keys; and the table of all commands.
///
/// @param name in lower case
/// @param arity number of words with the name; negative if that is the least
/// @param firstKey index of its first key, 0 for none
/// @param lastKey index of the last one, counted from the end where negative
/// @param step from key to key
record CommandSpec(String name, int arity, Right right, int firstKey, int lastKey, int step, Maker maker) {

    /// What a client has to be allowed to do, and how `COMMAND` shows it.
    enum Right {
        NONE("~1 +no_auth", "@connection"),
        /// Any token.
        TOKEN("~1 +fast", "@connection"),
        READ("~2 +readonly +fast", "@read", Scope.READ),
        WRITE("~1 +write", "@write", Scope.WRITE),
        READ_AND_WRITE("~1 +write", "@write", Scope.READ, Scope.WRITE),
        /// For commands that change all stored data.
        ADMIN("~1 +write", "@dangerous", Scope.ADMIN);

        private final String flags;
        private final String category;
        final List<Scope> scopes;

        Right(String flags, String category, Scope... scopes) {
            this.flags = flags;
            this.category = category;
            this.scopes = List.of(scopes);
        }
    }

    /// Creates the action of a command from its words.
    @FunctionalInterface
    interface Maker {
        Action make(Commands commands, Session session, List<byte[]> words) throws WrongCommandException;
    }

    static final List<CommandSpec> ALL = List.of(
            ofKey("get", 2, Right.READ, (c, _, words) -> Values.get(c, words.get(1))),
            ofKey("set", -3, Right.WRITE, Values::set),
            ofKey("strlen", 2, Right.READ, (c, _, words) -> c.one(Values.look(words.get(1)), Values::length)),
            ofKey("type", 2, Right.READ, (c, _, words) -> c.one(Values.look(words.get(1)), Values::type)),
            ofKeys("exists", -2, Right.READ, 1, (c, _, words) -> Values.count(c, words, Values::look)),
            ofKeys("touch", -2, Right.READ, 1, (c, _, words) -> Values.count(c, words, Values::look)),
            ofKeys("mget", -2, Right.READ, 1, (c, _, words) -> Values.several(c, words, Values::get, false)),
            ofKeys("mset", -3, Right.WRITE, 2, (c, _, words) -> Values.setAll(c, words)),
            ofKeys("del", -2, Right.WRITE, 1, (c, _, words) -> Values.count(c, words, Values::deletion)),
            ofKeys("unlink", -2, Right.WRITE, 1, (c, _, words) -> Values.count(c, words, Values::deletion)),
            ofKey("setnx", 3, Right.WRITE, (c, _, words) -> Values.setAbsent(c, words)),
            // READ_AND_WRITE: the reply tells the stored value or its length.
            ofKey("getset", 3, Right.READ_AND_WRITE, (_, _, words) -> Values.getSet(words)),
            ofKey("incr", 2, Right.READ_AND_WRITE, (_, _, words) -> Values.added(words, 1)),
            ofKey("decr", 2, Right.READ_AND_WRITE, (_, _, words) -> Values.added(words, -1)),
            ofKey("incrby", 3, Right.READ_AND_WRITE, (_, _, words) -> Values.addedBy(words, false)),
            ofKey("decrby", 3, Right.READ_AND_WRITE, (_, _, words) -> Values.addedBy(words, true)),
            ofKey("append", 3, Right.READ_AND_WRITE, (c, _, words) -> Values.splice(c, words, 2, -1)),
            ofKey("setrange", 4, Right.READ_AND_WRITE, (c, _, words) -> Values.setRange(c, words)),
            ofKey("getrange", 4, Right.READ, (c, _, words) -> Values.range(c, words)),
            ofKey("substr", 4, Right.READ, (c, _, words) -> Values.range(c, words)),
            ofKey("incrbyfloat", 3, Right.READ_AND_WRITE, (_, _, words) -> Values.addFloat(words)),
            ofKeys("msetnx", -3, Right.WRITE, 2, (_, _, words) -> Values.setAllAbsent(words)),
            new CommandSpec("copy", -3, Right.READ_AND_WRITE, 1, 2, 1, (_, _, words) -> Values.copy(words)),
            new CommandSpec("rename", 3, Right.WRITE, 1, 2, 1, (_, _, words) -> Values.rename(words, false)),
            new CommandSpec("renamenx", 3, Right.WRITE, 1, 2, 1, (_, _, words) -> Values.rename(words, true)),
            ofKey("delex", -2, Right.READ_AND_WRITE, (_, _, words) -> Values.deleteIf(words)),
            ofKey("delifeq", 3, Right.READ_AND_WRITE, (_, _, words) -> Values.deleteIf(words, 2, true)),
            ofKey("setex", 4, Right.WRITE, (c, _, words) -> Values.setFor(c, words, Unit.EX, "setex")),
            ofKey("psetex", 4, Right.WRITE, (c, _, words) -> Values.setFor(c, words, Unit.PX, "psetex")),
            ofKey("ttl", 2, Right.READ, (c, _, words) -> Values.left(c, words, true, false)),
            ofKey("pttl", 2, Right.READ, (c, _, words) -> Values.left(c, words, false, false)),
            ofKey("expiretime", 2, Right.READ, (c, _, words) -> Values.left(c, words, true, true)),
            ofKey("pexpiretime", 2, Right.READ, (c, _, words) -> Values.left(c, words, false, true)),
            ofKey("expire", -3, Right.WRITE, (c, _, words) -> Values.expire(c, words, Unit.EX, "expire")),
            ofKey("pexpire", -3, Right.WRITE, (c, _, words) -> Values.expire(c, words, Unit.PX, "pexpire")),
            ofKey("expireat", -3, Right.WRITE, (c, _, words) -> Values.expire(c, words, Unit.EXAT, "expireat")),
            ofKey("pexpireat", -3, Right.WRITE, (c, _, words) -> Values.expire(c, words, Unit.PXAT, "pexpireat")),
            ofKey("persist", 2, Right.WRITE, (_, _, words) -> Values.expiring(words.get(1), 0, Set.of("xx"), false)),
            ofKey("getex", -2, Right.READ_AND_WRITE, (c, _, words) -> Values.getFor(c, words)),
            ofKey(
                    "getdel",
                    2,
                    Right.READ_AND_WRITE,
                    (_, _, words) -> Values.expiring(words.get(1), Values.LONG_AGO, Set.of(), true)),
            plain("scan", -2, Right.READ, (c, _, words) -> AllKeys.scan(c, words)),
            plain("keys", 2, Right.READ, (c, _, words) -> AllKeys.keys(c, words.get(1))),
            plain("dbsize", 1, Right.READ, (c, _, _) -> AllKeys.count(c)),
            plain("randomkey", 1, Right.READ, (c, _, _) -> AllKeys.random(c)),
            plain("flushdb", -1, Right.ADMIN, (c, _, words) -> AllKeys.remove(c, words)),
            plain("flushall", -1, Right.ADMIN, (c, _, words) -> AllKeys.remove(c, words)),
            plain("ping", -1, Right.TOKEN, (_, _, words) -> ConnectionCommands.ping(words)),
            plain("echo", 2, Right.TOKEN, (_, _, words) -> ConnectionCommands.echo(words.get(1))),
            plain(
                    "time",
                    1,
                    Right.TOKEN,
                    (c, _, _) -> ConnectionCommands.time(c.clock().instant())),
            plain("auth", -2, Right.NONE, (_, session, words) -> ConnectionCommands.auth(session, words)),
            plain("hello", -1, Right.NONE, ConnectionCommands::hello),
            plain("quit", -1, Right.NONE, (_, _, _) -> Reply.Plain.OK),
            plain("reset", 1, Right.NONE, (_, session, _) -> ConnectionCommands.reset(session)),
            plain("select", 2, Right.TOKEN, (_, _, words) -> ConnectionCommands.select(words.get(1))),
            plain("config", -2, Right.TOKEN, (_, session, words) -> ConnectionCommands.config(session, words)),
            plain("info", -1, Right.TOKEN, ConnectionCommands::info),
            plain("client", -2, Right.TOKEN, (_, session, words) -> ConnectionCommands.client(session, words)),
            plain("command", -1, Right.TOKEN, (_, session, words) -> ConnectionCommands.command(session, words)),
            plain("multi", 1, Right.TOKEN, (_, session, _) -> session.queued.multi()),
            plain(
                    "exec",
                    1,
                    Right.TOKEN,
                    (c, session, _) -> session.takeQueued().exec(c, session)),
            plain(
                    "discard",
                    1,
                    Right.TOKEN,
                    (_, session, _) -> session.takeQueued().discarded()),
            ofKeys("watch", -2, Right.READ, 1, (commands, session, words) -> session.queued.watch(commands, words)),
            plain("unwatch", 1, Right.TOKEN, (_, session, _) -> Queued.unwatch(session)),
            plain("eval", -3, Right.READ_AND_WRITE, (c, s, words) -> Scripts.eval(c, s, words, false, false)),
            plain("eval_ro", -3, Right.READ, (c, s, words) -> Scripts.eval(c, s, words, true, false)),
            plain("evalsha", -3, Right.READ_AND_WRITE, (c, s, words) -> Scripts.eval(c, s, words, false, true)),
            plain("evalsha_ro", -3, Right.READ, (c, s, words) -> Scripts.eval(c, s, words, true, true)),
            plain(
                    "script",
                    -2,
                    Right.READ_AND_WRITE,
                    (c, _, words) -> c.scripts().manage(words)));

    private static final int LONGEST_NAME =
            ALL.stream().mapToInt(spec -> spec.name.length()).max().orElse(0);

    private static final CommandSpec[][] BY_LENGTH = IntStream.rangeClosed(0, LONGEST_NAME)
            .mapToObj(length ->
                    ALL.stream().filter(spec -> spec.name.length() == length).toArray(CommandSpec[]::new))
            .toArray(CommandSpec[][]::new);

    private static CommandSpec plain(String name, int arity, Right right, Maker maker) {
        return new CommandSpec(name, arity, right, 0, 0, 0, maker);
    }

    private static CommandSpec ofKey(String name, int arity, Right right, Maker maker) {
        return new CommandSpec(name, arity, right, 1, 1, 1, maker);
    }

    private static CommandSpec ofKeys(String name, int arity, Right right, int step, Maker maker) {
        return new CommandSpec(name, arity, right, 1, -1, step, maker);
    }

    /// Finds a command without making a string of what a client sent: by its length, then one by one.
    static @Nullable CommandSpec find(byte[] word) {
        if (word.length <= LONGEST_NAME) {
            for (CommandSpec spec : BY_LENGTH[word.length]) {
                if (Words.is(word, spec.name)) {
                    return spec;
                }
            }
        }
        return null;
    }

    boolean writes() {
        return right == Right.WRITE || right == Right.READ_AND_WRITE;
    }

    boolean takes(int words) {
        return arity < 0 ? words >= -arity : words == arity;
    }

    /// The index of its last key among this many words, before the first if it has none.
    int lastKeyOf(int words) {
        return firstKey == 0 ? -1 : lastKey < 0 ? words + lastKey : lastKey;
    }

    /// Writes its entry in the reply of `COMMAND`.
    void describe(ReplyText text) {
        text.add("*10 $" + name + " :" + arity + " " + right.flags + " :" + firstKey + " :" + lastKey + " :" + step);
        text.add("~1 +" + right.category + " *0");
        if (firstKey == 0) {
            text.add("~0");
        } else {
            text.add("~1 %3 $flags ~1 " + (right == Right.READ ? "+RO" : "+RW"));
            text.add("$begin_search %2 $type $index $spec %1 $index :" + firstKey);
            text.add("$find_keys %2 $type $range $spec %3 $lastkey :" + (lastKey < 0 ? lastKey : lastKey - firstKey));
            text.add("$keystep :" + step + " $limit :0");
        }
        text.add("*0"); // no subcommands
    }
}
