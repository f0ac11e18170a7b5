package kvant.server.resp;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// `EVAL` and what goes with it. A script is a [Action.Transaction] over the keys that it declares: it reads them as
/// they were at one moment, and what it writes is one batch, if none of them has changed; else it runs again. One that
/// fails or is stopped has written nothing. Scripts are kept by the SHA-1 of their source, those that were used last.
///
/// Shared by the connections of a node; any thread may call.
///
/// @param limits of one run
/// @param workers run scripts
record Scripts(ScriptLimits limits, Executor workers, Recent<String, LuaScript> kept) {

    private static final int MOST = 1_000;
    private static final long MOST_BYTES = 8 << 20;
    private static final int LONGEST_BYTES = 256 << 10;
    private static final int THREADS = 2;
    private static final int IDLE_SECONDS = 10;
    private static final int MOST_WAITING = 1_024;

    /// Commands without keys that a script may call.
    private static final Set<String> WITHOUT_KEYS = Set.of("ping", "echo", "time");

    private static final Reply UNKNOWN = Errors.error("ERR Unknown Redis command called from script");
    private static final Reply NOT_INSIDE = Errors.error("ERR This Redis command is not allowed from script");
    private static final Reply WRONG_NUMBER =
            Errors.error("ERR Wrong number of args calling Redis command from script");
    private static final Reply NOT_DECLARED =
            Errors.error("ERR Script attempted to access a non local key in a cluster node");
    private static final Reply NO_WRITES = Errors.error("ERR Write commands are not allowed from read-only scripts.");

    Scripts(ScriptLimits limits, Executor workers) {
        this(limits, workers, new Recent<>(MOST, MOST_BYTES));
    }

    /// They end when they have nothing to do.
    static Executor threads() {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MOST_WAITING),
                Thread.ofPlatform().name("kvant-script").daemon().factory());
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    static Action eval(Commands commands, Session session, List<byte[]> words, boolean readOnly, boolean bySha)
            throws WrongCommandException {
        long count = Errors.integer(words.get(2));
        if (count < 0) {
            throw new WrongCommandException("ERR Number of keys can't be negative");
        } else if (count > words.size() - 3) {
            throw new WrongCommandException("ERR Number of keys can't be greater than number of args");
        }
        int arguments = 3 + (int) count;
        List<byte[]> keys = words.subList(3, arguments);
        Set<ByteBuffer> declared = new HashSet<>();
        for (byte[] key : keys) {
            commands.checkKey(key);
            declared.add(ByteBuffer.wrap(key));
        }
        Scripts all = commands.scripts();
        byte[] source = words.get(1);
        boolean resp3 = session.isResp3();
        Session stranger = session.ofScript();
        Action.Body body = view -> {
            LuaScript script = bySha ? all.known(source) : all.compiled(source);
            if (script == null) {
                throw new WrongCommandException("NOSCRIPT No matching script. Please use EVAL.");
            }
            Commands still = commands.at(view.nowMillis());
            List<byte[]> others = words.subList(arguments, words.size());
            return script.run(
                    keys,
                    others,
                    called -> call(still, stranger, declared, readOnly, view, called),
                    resp3,
                    view.meter(all.limits));
        };
        return new Action.Transaction(() -> keys, body, all.workers);
    }

    /// Carries out a command of a script, on a thread for scripts. The clock stands, so that another run sees the same
    /// time.
    private static Reply call(
            Commands still,
            Session session,
            Set<ByteBuffer> declared,
            boolean readOnly,
            View view,
            List<byte[]> words) {
        CommandSpec spec = CommandSpec.find(words.getFirst());
        if (spec == null) {
            return UNKNOWN;
        } else if (!spec.takes(words.size())) {
            return WRONG_NUMBER;
        } else if (spec.firstKey() == 0 && !WITHOUT_KEYS.contains(spec.name())) {
            return NOT_INSIDE;
        } else if (readOnly && spec.writes()) {
            return NO_WRITES;
        }
        int last = spec.lastKeyOf(words.size());
        for (int i = spec.firstKey(); i <= last; i += spec.step()) {
            if (!declared.contains(ByteBuffer.wrap(words.get(i)))) {
                return NOT_DECLARED;
            }
        }
        try {
            return view.attempt(still.make(spec, session, words));
        } catch (WrongCommandException e) {
            return e.reply();
        }
    }

    /// `SCRIPT`. It takes effect in the order of the commands of its connection.
    Action manage(List<byte[]> words) throws WrongCommandException {
        List<byte[]> rest = words.subList(2, words.size());
        String option = Words.option(words.get(1));
        if (option.equals("load") && rest.size() == 1) {
            Action.Body load = _ -> new ReplyText(false)
                    .add("$" + compiled(rest.getFirst()).sha())
                    .reply();
            return new Action.Transaction(List::of, load, workers);
        } else if (option.equals("exists") && !rest.isEmpty()) {
            return new Action.Transaction(List::of, _ -> {
                ReplyText text = new ReplyText(false).add("*" + rest.size());
                rest.forEach(sha -> text.add(known(sha) == null ? ":0" : ":1"));
                return text.reply();
            });
        } else if (option.equals("flush") && rest.size() <= 1) {
            return new Action.Transaction(List::of, _ -> {
                kept.clear();
                return Reply.Plain.OK;
            });
        }
        throw new WrongCommandException(Errors.unknownSubcommand(words.get(1), "script"));
    }

    private LuaScript compiled(byte[] source) throws WrongCommandException {
        if (source.length > LONGEST_BYTES) {
            throw new WrongCommandException("ERR script of more than " + LONGEST_BYTES + " bytes");
        }
        String sha = LuaScript.sha(source);
        LuaScript script = kept.get(sha);
        if (script == null) {
            script = LuaScript.compile(source, sha);
            kept.put(sha, script, source.length);
        }
        return script;
    }

    private @Nullable LuaScript known(byte[] sha) {
        return kept.get(Words.text(sha).toLowerCase(Locale.ROOT));
    }
}
