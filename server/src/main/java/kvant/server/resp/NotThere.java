package kvant.server.resp;

import java.util.List;
import java.util.Set;
import kvant.server.resp.parse.Words;

/// Commands that are not there. Two kinds are known by their names, because of what clients do behind the error.
///
/// A client sends `MULTI`, its commands and `EXEC` before it reads that `MULTI` is refused: they are refused as well,
/// up to `EXEC` or `DISCARD`. A client that sends a script is to stop, see [Errors#noScripts].
final class NotThere {

    private static final Set<String> SCRIPTS =
            Set.of("eval", "evalsha", "eval_ro", "evalsha_ro", "script", "fcall", "fcall_ro", "function");

    private NotThere() {}

    /// @param words of a command that is not in the table
    static Reply reply(Session session, List<byte[]> words) {
        Reply reply = known(session, words); // also of a client without a token: a refused transaction is one, too
        return session.isTrusted() ? reply : Errors.NO_TOKEN;
    }

    /// Whether a command that is in the table is refused behind a `MULTI`. A client without a token is told so by the
    /// command itself, and may send its token.
    static boolean refuses(Session session, CommandSpec spec) {
        return session.isTrusted()
                && !spec.name().equals("quit")
                && !spec.name().equals("reset");
    }

    private static Reply known(Session session, List<byte[]> words) {
        byte[] name = words.getFirst();
        boolean refused = session.refusesAll();
        if (Words.is(name, "multi")) {
            session.refuseAll(true);
            return refused ? Errors.NESTED : words.size() == 1 ? Errors.NO_TRANSACTIONS : Errors.wrongNumber("multi");
        } else if (Words.is(name, "exec")) {
            return end(session, words, "exec", Errors.ABORTED);
        } else if (Words.is(name, "discard")) {
            return end(session, words, "discard", Reply.Plain.OK);
        } else if (refused) {
            return Errors.BEHIND_MULTI;
        } else if (Words.is(name, "watch")) {
            return Errors.NO_WATCH;
        }
        return isScript(name) ? Errors.noScripts(name) : Errors.unknown(words);
    }

    private static Reply end(Session session, List<byte[]> words, String command, Reply ended) {
        if (words.size() > 1) {
            return Errors.wrongNumber(command);
        }
        boolean refused = session.refusesAll();
        session.refuseAll(false);
        return refused ? ended : Errors.withoutMulti(command);
    }

    private static boolean isScript(byte[] name) {
        return SCRIPTS.stream().anyMatch(script -> Words.is(name, script));
    }
}
