package kvant.server.resp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import kvant.server.resp.CommandSpec.Right;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// `EVAL` and what goes with it. A script is a [Transaction] over the keys that it declares: it reads them as they were
/// at one moment, and what it writes is one batch, if none of them has changed; else it runs again. One that fails or
/// is stopped has written nothing. Scripts are kept by the SHA-1 of their source, those that were used last.
///
/// Shared by the connections of a node; any thread may call.
final class Scripts {

    private static final int MOST = 1_000;
    private static final long MOST_BYTES = 8 << 20;
    private static final int LONGEST_BYTES = 256 << 10;
    private static final int THREADS = 2;
    private static final int IDLE_SECONDS = 10;
    private static final int MOST_WAITING = 1_024;

    /// What a script may call besides what has keys.
    private static final Set<String> WITHOUT_KEYS = Set.of("ping", "echo", "time");

    private static final Reply NOT_FOUND = Errors.error("NOSCRIPT No matching script. Please use EVAL.");
    private static final Reply TOO_LONG = Errors.error("ERR script of more than " + LONGEST_BYTES + " bytes");
    private static final Reply UNKNOWN = Errors.error("ERR Unknown Redis command called from script");
    private static final Reply NOT_INSIDE = Errors.error("ERR This Redis command is not allowed from script");
    private static final Reply WRONG_NUMBER =
            Errors.error("ERR Wrong number of args calling Redis command from script");
    private static final Reply NOT_DECLARED =
            Errors.error("ERR Script attempted to access a non local key in a cluster node");
    private static final Reply NO_WRITES = Errors.error("ERR Write commands are not allowed from read-only scripts.");
    private static final Reply NEGATIVE = Errors.error("ERR Number of keys can't be negative");
    private static final Reply TOO_MANY_KEYS = Errors.error("ERR Number of keys can't be greater than number of args");

    private record Kept(LuaScript script, int bytes) {}

    // Constant.
    private final ScriptLimits limits;
    private final Executor workers;

    // Guarded by this.
    private final Map<String, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);
    private long keptBytes;

    Scripts(ScriptLimits limits, Executor workers) {
        this.limits = limits;
        this.workers = workers;
    }

    /// They end when they have nothing to do.
    static Executor threads() {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_WAITING), task -> {
                    Thread thread = new Thread(task, "kvant-script");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    static List<CommandSpec> specs() {
        return List.of(
                eval("eval", Right.READ_AND_WRITE, false),
                eval("eval_ro", Right.READ, false),
                eval("evalsha", Right.READ_AND_WRITE, true),
                eval("evalsha_ro", Right.READ, true),
                CommandSpec.plain(
                        "script",
                        -2,
                        Right.READ_AND_WRITE,
                        (c, _, words) -> c.scripts().manage(c, words)));
    }

    private static CommandSpec eval(String name, Right right, boolean bySha) {
        return CommandSpec.plain(name, -3, right, (c, session, words) -> {
            long count = Errors.integer(words.get(2), Errors.NOT_AN_INTEGER);
            if (count < 0 || count > words.size() - 3) {
                return count < 0 ? NEGATIVE : TOO_MANY_KEYS;
            }
            int arguments = 3 + (int) count;
            List<byte[]> keys = words.subList(3, arguments);
            for (byte[] key : keys) {
                c.checkKey(key);
            }
            byte[] script = words.get(1);
            Call call = new Call(
                    c,
                    session.ofScript(),
                    keys,
                    words.subList(arguments, words.size()),
                    right == Right.READ,
                    session.isResp3());
            Scripts all = c.scripts();
            return new Transaction(
                    () -> keys,
                    view -> call.run(all, bySha ? all.find(script) : all.compiled(script), view),
                    all.workers);
        });
    }

    /// `SCRIPT`. What it does comes to pass in the order of the commands of its connection.
    private Action manage(Commands commands, List<byte[]> words) throws WrongCommandException {
        byte[] word = words.get(1);
        if (Words.is(word, "load") && words.size() == 3) {
            return new Transaction(
                    List::of,
                    _ -> new Reply.Bulk(compiled(words.get(2)).sha().getBytes(StandardCharsets.US_ASCII)),
                    workers);
        } else if (Words.is(word, "exists") && words.size() > 2) {
            return new Transaction(List::of, _ -> exist(words.subList(2, words.size())), null);
        } else if (Words.is(word, "flush") && words.size() <= 3) {
            return new Transaction(List::of, _ -> flush(), null);
        }
        return Errors.unknownSubcommand(word, "script");
    }

    // --- What is kept ---

    private LuaScript compiled(byte[] source) throws WrongCommandException {
        if (source.length > LONGEST_BYTES) {
            throw new WrongCommandException(TOO_LONG);
        }
        String sha = LuaScript.sha(source);
        synchronized (this) {
            Kept known = kept.get(sha);
            if (known != null) {
                return known.script;
            }
        }
        LuaScript script = LuaScript.compile(source, sha);
        keep(sha, new Kept(script, source.length));
        return script;
    }

    private synchronized void keep(String sha, Kept script) {
        Kept before = kept.put(sha, script);
        keptBytes += script.bytes - (before == null ? 0 : before.bytes);
        var eldest = kept.entrySet().iterator();
        while (kept.size() > MOST || keptBytes > MOST_BYTES) {
            keptBytes -= eldest.next().getValue().bytes;
            eldest.remove();
        }
    }

    private synchronized @Nullable LuaScript known(byte[] sha) {
        Kept found = kept.get(Words.text(sha).toLowerCase(Locale.ROOT));
        return found == null ? null : found.script;
    }

    private LuaScript find(byte[] sha) throws WrongCommandException {
        LuaScript found = known(sha);
        if (found == null) {
            throw new WrongCommandException(NOT_FOUND);
        }
        return found;
    }

    private Reply exist(List<byte[]> shas) {
        ReplyText text = new ReplyText(false).array(shas.size());
        shas.forEach(sha -> text.number(known(sha) == null ? 0 : 1));
        return text.reply();
    }

    private synchronized Reply flush() {
        kept.clear();
        keptBytes = 0;
        return Reply.Plain.OK;
    }

    // --- A run ---

    private record Call(
            Commands commands,
            Session session,
            List<byte[]> keys,
            List<byte[]> arguments,
            boolean readOnly,
            boolean resp3) {

        /// On a thread for scripts. The clock stands, so that another run sees the same time.
        Reply run(Scripts all, LuaScript script, View view) throws WrongCommandException {
            Commands still = commands.at(view.nowMillis());
            Set<ByteBuffer> declared = new HashSet<>();
            keys.forEach(key -> declared.add(ByteBuffer.wrap(key)));
            return script.run(keys, arguments, words -> call(still, declared, view, words), resp3, all.limits);
        }

        private Reply call(Commands still, Set<ByteBuffer> declared, View view, List<byte[]> words) {
            CommandSpec spec = Commands.table().find(words.getFirst());
            if (spec == null) {
                return UNKNOWN;
            } else if (!spec.takes(words.size())) {
                return WRONG_NUMBER;
            } else if (spec.firstKey() == 0 && !WITHOUT_KEYS.contains(spec.name())) {
                return NOT_INSIDE;
            } else if (readOnly && spec.writes()) {
                return NO_WRITES;
            }
            int last = spec.firstKey() == 0 ? -1 : spec.lastKeyOf(words.size());
            for (int i = spec.firstKey(); i <= last; i += spec.step()) {
                if (!declared.contains(ByteBuffer.wrap(words.get(i)))) {
                    return NOT_DECLARED;
                }
            }
            try {
                return view.carryOut(still.make(spec, session, words));
            } catch (WrongCommandException e) {
                return e.reply();
            }
        }
    }
}
