package kvant.server.resp;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;
import kvant.engine.Limits;
import kvant.server.access.AccessControl;
import kvant.server.access.Peer;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.http.contract.HttpLimits;
import kvant.server.http.contract.Problem;
import kvant.server.request.Request;
import kvant.server.resp.parse.Words;
import kvant.server.service.CompletionQueue;
import kvant.server.service.RequestFigures;
import kvant.server.service.RequestHandler;
import org.jspecify.annotations.Nullable;

/// All commands: the words of a client to what is asked of the node. See docs/resp.md.
///
/// Shared by the connections of a node; any thread may call.
public final class Commands {

    private static final CommandSpec.Table TABLE = new CommandSpec.Table(Stream.of(
                    ConnectionCommands.specs(),
                    ServerCommands.specs(),
                    KeyCommands.specs(),
                    StringCommands.specs(),
                    ExpiryCommands.specs(),
                    TransactionCommands.specs(),
                    Scripts.specs())
            .flatMap(List::stream)
            .toList());

    // Constant.
    private final InstantSource clock;
    private final HiddenPaths paths;
    private final Cursors cursors;
    private final ServerInfo facts;
    private final int maxKeyBytes;
    private final long maxBytes;
    private final int maxValueBytes;
    private final Scripts scripts;

    /// @param clock wall clock, for the life time of values
    /// @param paths left out of what an engine says
    /// @param script bounds of one
    /// @param workers run scripts
    public Commands(
            InstantSource clock,
            HiddenPaths paths,
            ServerInfo facts,
            HttpLimits limits,
            ScriptLimits script,
            Executor workers) {
        this.clock = clock;
        this.paths = paths;
        this.facts = facts;
        this.cursors = new Cursors();
        this.scripts = new Scripts(script, workers);
        this.maxKeyBytes = limits.maxKeyBytes();
        this.maxValueBytes = Math.min(limits.maxBodyBytes(), Limits.DEFAULT.maxValueBytes());
        this.maxBytes = (long) limits.maxBodyBytes() + limits.maxKeyBytes();
    }

    /// What scripts are to run on.
    public static Executor scriptThreads() {
        return Scripts.threads();
    }

    /// The same at a time that stands still.
    private Commands(Commands of, long nowMillis) {
        clock = InstantSource.fixed(Instant.ofEpochMilli(nowMillis));
        paths = of.paths;
        facts = of.facts;
        cursors = of.cursors;
        maxKeyBytes = of.maxKeyBytes;
        maxBytes = of.maxBytes;
        maxValueBytes = of.maxValueBytes;
        scripts = of.scripts;
    }

    Commands at(long nowMillis) {
        return new Commands(this, nowMillis);
    }

    Scripts scripts() {
        return scripts;
    }

    /// What a new connection has said of itself: nothing.
    ///
    /// @param client see [Session]
    public Session session(AccessControl access, Supplier<Peer> client) {
        return new Session(access, client, facts.ids().incrementAndGet());
    }

    /// The updates of one event loop.
    public ReadModifyWrite updates(RequestHandler handler, CompletionQueue mailbox, RequestFigures figures) {
        return new ReadModifyWrite(handler, mailbox, figures, clock, paths, maxBytes);
    }

    /// What a command comes to.
    public Action action(Session session, List<byte[]> words) {
        CommandSpec spec = TABLE.find(words.getFirst());
        if (spec == null) {
            return TransactionCommands.refused(session, words, unknown(session, words), false);
        }
        Reply refusal = session.refusal(spec);
        if (refusal != null) {
            return TransactionCommands.refused(session, words, refusal, true);
        }
        if (!spec.takes(words.size())) {
            return TransactionCommands.refused(session, words, Errors.wrongNumber(spec.name()), false);
        }
        Reply queued = TransactionCommands.queue(spec, session, words);
        return queued == null ? make(spec, session, words) : queued;
    }

    private static Reply unknown(Session session, List<byte[]> words) {
        return session.isTrusted() ? Errors.unknown(words) : Errors.NO_TOKEN;
    }

    /// The same of one that may be carried out.
    Action make(CommandSpec spec, Session session, List<byte[]> words) {
        try {
            checkKeys(spec, words);
            return spec.maker().make(this, session, words);
        } catch (WrongCommandException e) {
            return e.reply();
        }
    }

    /// What a client is told where a command did not come as far as the node.
    public static Reply refusal(Problem problem) {
        return Errors.of(problem);
    }

    /// What a client is told whose command was longer than the node takes.
    ///
    /// @param what is too long, for a person
    public static Reply tooLong(String what) {
        return Errors.tooLong(what);
    }

    /// What a client is told that does not speak RESP.
    ///
    /// @param what for a person
    public static Reply protocolError(String what) {
        return Errors.protocol(what);
    }

    /// Whether a command is the last one of its connection: what follows a database that is not there is meant for it.
    public static boolean isLast(List<byte[]> words, Action action) {
        return Words.is(words.getFirst(), "quit") || action == Errors.NO_DATABASE;
    }

    /// The name of a command in capitals, or null of one that is not known.
    public static @Nullable String nameOf(List<byte[]> words) {
        CommandSpec spec = words.isEmpty() ? null : TABLE.find(words.getFirst());
        return spec == null ? null : spec.name().toUpperCase(Locale.ROOT);
    }

    /// The key of a command that has one alone, or null. Of one with too few or too many words nobody can say which of
    /// them are keys.
    public static byte @Nullable [] onlyKeyOf(List<byte[]> words) {
        CommandSpec spec = words.isEmpty() ? null : TABLE.find(words.getFirst());
        return spec != null && spec.takes(words.size()) && spec.keys(words.size()) == 1
                ? words.get(spec.firstKey())
                : null;
    }

    static CommandSpec.Table table() {
        return TABLE;
    }

    ServerInfo facts() {
        return facts;
    }

    Cursors cursors() {
        return cursors;
    }

    HiddenPaths paths() {
        return paths;
    }

    long nowMillis() {
        return clock.millis();
    }

    long nowMicros() {
        Instant now = clock.instant();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
    }

    int maxKeyBytes() {
        return maxKeyBytes;
    }

    private void checkKeys(CommandSpec spec, List<byte[]> words) throws WrongCommandException {
        if (spec.firstKey() == 0) {
            return;
        }
        int last = spec.lastKeyOf(words.size());
        for (int i = spec.firstKey(); i <= last; i += spec.step()) {
            checkKey(words.get(i));
        }
    }

    void checkKey(byte[] key) throws WrongCommandException {
        if (key.length == 0 || key.length > maxKeyBytes) {
            throw new WrongCommandException(Errors.wrongKey(key.length, maxKeyBytes));
        }
    }

    /// Of a value, as those that are sent.
    int maxValueBytes() {
        return maxValueBytes;
    }

    Command one(Request request, Command.Single.Teller teller) {
        return new Command.Single(request, teller, paths);
    }
}
