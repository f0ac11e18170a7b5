package kvant.server.resp;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import kvant.engine.Limits;
import kvant.server.access.AccessControl;
import kvant.server.access.Peer;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.http.contract.HttpLimits;
import kvant.server.request.Outcome;
import kvant.server.request.Request;
import kvant.server.resp.parse.Words;
import kvant.server.service.WriteMarks;
import org.jspecify.annotations.Nullable;

/// All commands: they translate the words of a client to requests for the node. See docs/resp.md.
///
/// Shared by the connections of a node; any thread may call.
///
/// @param clock wall clock, for the life time of values
/// @param paths left out of what an engine says
/// @param version of the program
/// @param engine name of its storage engine
/// @param marks of all writes to the node
public record Commands(
        InstantSource clock,
        HiddenPaths paths,
        String version,
        String engine,
        RespFigures figures,
        HttpLimits limits,
        WriteMarks marks,
        Scripts scripts,
        AllKeys.Cursors cursors) {

    /// @param script bounds of one
    /// @param pool runs scripts
    public Commands(
            InstantSource clock,
            HiddenPaths paths,
            String version,
            String engine,
            RespFigures figures,
            HttpLimits limits,
            WriteMarks marks,
            ScriptLimits script,
            Executor pool) {
        this(clock, paths, version, engine, figures, limits, marks, new Scripts(script, pool), new AllKeys.Cursors());
    }

    /// Threads for scripts.
    public static Executor scriptThreads() {
        return Scripts.threads();
    }

    /// The same at a time that stands still.
    Commands at(long nowMillis) {
        InstantSource still = InstantSource.fixed(Instant.ofEpochMilli(nowMillis));
        return new Commands(still, paths, version, engine, figures, limits, marks, scripts, cursors);
    }

    /// A new connection, which has said nothing of itself.
    ///
    /// @param client see [Session]
    public Session session(AccessControl access, Supplier<Peer> client) {
        return new Session(access, client, figures.opened());
    }

    /// Parses a command into an action.
    public Action action(Session session, List<byte[]> words) {
        CommandSpec spec = CommandSpec.find(words.getFirst());
        if (spec == null) {
            Reply unknown = session.isTrusted() ? Errors.unknown(words) : Errors.NO_TOKEN;
            return Queued.refused(session, words, unknown, false);
        }
        Reply refusal = session.refusal(spec);
        if (refusal != null) {
            return Queued.refused(session, words, refusal, true);
        }
        if (!spec.takes(words.size())) {
            return Queued.refused(session, words, Errors.wrongNumber(spec.name()), false);
        }
        Reply queued = session.queued.queue(spec, words);
        return queued == null ? make(spec, session, words) : queued;
    }

    /// The same of one that may be carried out.
    Action make(CommandSpec spec, Session session, List<byte[]> words) {
        try {
            int last = spec.lastKeyOf(words.size());
            for (int i = spec.firstKey(); i <= last; i += spec.step()) {
                checkKey(words.get(i));
            }
            return spec.maker().make(this, session, words);
        } catch (WrongCommandException e) {
            return e.reply();
        }
    }

    void checkKey(byte[] key) throws WrongCommandException {
        if (key.length == 0 || key.length > maxKeyBytes()) {
            throw new WrongCommandException(
                    "ERR key of " + key.length + " bytes; 1 to " + maxKeyBytes() + " are allowed");
        }
    }

    /// Whether a command is the last one of its connection. After the choice of an unknown database it is: further
    /// commands are meant for that database.
    public static boolean isLast(List<byte[]> words, Action action) {
        return Words.is(words.getFirst(), "quit") || action == Errors.NO_DATABASE;
    }

    /// The name of a command in capitals, or null of one that is not known.
    public static @Nullable String nameOf(List<byte[]> words) {
        CommandSpec spec = words.isEmpty() ? null : CommandSpec.find(words.getFirst());
        return spec == null ? null : spec.name().toUpperCase(Locale.ROOT);
    }

    /// The key of a command that has exactly one, or null. With a wrong number of words it is unknown which of them
    /// are keys.
    public static byte @Nullable [] onlyKeyOf(List<byte[]> words) {
        CommandSpec spec = words.isEmpty() ? null : CommandSpec.find(words.getFirst());
        return spec != null
                        && spec.takes(words.size())
                        && spec.firstKey() != 0
                        && spec.lastKeyOf(words.size()) - spec.firstKey() < spec.step()
                ? words.get(spec.firstKey())
                : null;
    }

    int maxKeyBytes() {
        return limits.maxKeyBytes();
    }

    /// The longest value, also for values made by commands.
    int maxValueBytes() {
        return Math.min(limits.maxBodyBytes(), Limits.DEFAULT.maxValueBytes());
    }

    Command one(Request request, Function<Outcome, Reply> teller) {
        return new Command(request, teller, paths);
    }
}
