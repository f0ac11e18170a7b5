package kvant.server.resp;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import kvant.server.resp.CommandSpec.Right;
import kvant.server.resp.parse.Glob;
import kvant.server.resp.parse.Words;

/// The commands about the store as a whole and about how the node is set.
final class ServerCommands {

    private static final int MICROS_PER_SECOND = 1_000_000;

    /// What clients ask for when they connect, as far as it means something here.
    private static final Map<String, String> SETTINGS = new TreeMap<>(Map.of(
            "appendonly", "yes",
            "databases", "1",
            "maxmemory", "0",
            "maxmemory-policy", "noeviction",
            "notify-keyspace-events", "",
            "save", "",
            "timeout", "300"));

    private ServerCommands() {}

    static List<CommandSpec> specs() {
        return List.of(
                CommandSpec.plain("time", 1, Right.TOKEN, (c, _, _) -> time(c)),
                CommandSpec.plain("config", -2, Right.TOKEN, (_, session, words) -> config(session, words)),
                CommandSpec.plain("dbsize", 1, Right.READ, (c, _, _) -> AllKeys.count(c)),
                CommandSpec.plain("keys", 2, Right.READ, (c, _, words) -> AllKeys.keys(c, words.get(1))),
                CommandSpec.plain("randomkey", 1, Right.READ, (c, _, _) -> AllKeys.random(c)),
                CommandSpec.plain("flushdb", -1, Right.ADMIN, (c, _, words) -> flush(c, words)),
                CommandSpec.plain("flushall", -1, Right.ADMIN, (c, _, words) -> flush(c, words)));
    }

    private static Reply time(Commands commands) {
        long micros = commands.nowMicros();
        return new Reply.Bulks(Stream.of(micros / MICROS_PER_SECOND, micros % MICROS_PER_SECOND)
                .map(number -> Long.toString(number).getBytes(StandardCharsets.US_ASCII))
                .toList());
    }

    /// Both ways are one here: the reply comes when all is done.
    private static Action flush(Commands commands, List<byte[]> words) throws WrongCommandException {
        if (words.size() > 2
                || words.size() == 2 && !Words.is(words.get(1), "async") && !Words.is(words.get(1), "sync")) {
            throw new WrongCommandException(Errors.SYNTAX);
        }
        return AllKeys.remove(commands);
    }

    private static Reply config(Session session, List<byte[]> words) throws WrongCommandException {
        if (!Words.is(words.get(1), "get")) {
            return Words.is(words.get(1), "set") || Words.is(words.get(1), "rewrite")
                    ? Errors.error("ERR CONFIG SET is not supported by this server: it is set when it is started")
                    : Errors.unknownSubcommand(words.get(1), "config");
        } else if (words.size() < 3) {
            throw new WrongCommandException(Errors.wrongNumber("config|get"));
        }
        Set<String> names = new LinkedHashSet<>();
        for (byte[] word : words.subList(2, words.size())) {
            Glob glob = Scanning.glob(Words.lower(word));
            SETTINGS.keySet().stream()
                    .filter(name -> glob.matches(name.getBytes(StandardCharsets.US_ASCII)))
                    .forEach(names::add);
        }
        ReplyText text = new ReplyText(session.isResp3()).map(names.size());
        names.forEach(name -> text.bulks(name, SETTINGS.getOrDefault(name, "")));
        return text.reply();
    }
}
