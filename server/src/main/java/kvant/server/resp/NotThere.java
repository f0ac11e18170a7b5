package kvant.server.resp;

import java.util.List;
import java.util.Set;
import kvant.server.resp.parse.Words;

/// Commands that are not there. A client that sends a script is to stop, see [Errors#noScripts].
final class NotThere {

    private static final Set<String> SCRIPTS =
            Set.of("eval", "evalsha", "eval_ro", "evalsha_ro", "script", "fcall", "fcall_ro", "function");

    private NotThere() {}

    /// @param words of a command that is not in the table
    static Reply reply(Session session, List<byte[]> words) {
        if (!session.isTrusted()) {
            return Errors.NO_TOKEN;
        }
        byte[] name = words.getFirst();
        return SCRIPTS.stream().anyMatch(script -> Words.is(name, script))
                ? Errors.noScripts(name)
                : Errors.unknown(words);
    }
}
