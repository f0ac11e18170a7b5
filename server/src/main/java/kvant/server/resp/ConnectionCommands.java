package kvant.server.resp;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvant.server.resp.parse.Glob;
import kvant.server.resp.parse.Words;

/// The commands about a connection, about the node and how it is set: all of them are answered at once.
final class ConnectionCommands {

    private static final int NANOS_PER_SECOND = 1_000_000_000;
    private static final int LONGEST_NAME = 128;
    private static final int LONGEST_MESSAGE = 4096;
    private static final Reply PONG = Reply.Raw.of("+PONG\r\n");
    private static final Reply RESET = Reply.Raw.of("+RESET\r\n");

    /// The fields of Redis' `INFO` that apply here; the version is that of the supported commands.
    private static final String INFO = """
        # Server
        redis_version:7.0.15
        redis_mode:standalone
        server_name:kvant
        kvant_version:%s
        engine:%s
        process_id:%d
        uptime_in_seconds:%d

        # Clients
        connected_clients:%d

        # Replication
        role:master
        connected_slaves:0
        """;

    private static final String CLIENT_HELP = """
        *5
        +CLIENT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:
        +GETNAME, ID, INFO, LIST, GETREDIR
        +SETNAME <name>, SETINFO (LIB-NAME|LIB-VER) <value>
        +NO-EVICT (ON|OFF), NO-TOUCH (ON|OFF), REPLY ON, TRACKING OFF
        +HELP
        """;

    /// What clients ask for when they connect, as far as it means something here.
    private static final Map<String, String> SETTINGS = new TreeMap<>(Map.of(
            "appendonly", "yes",
            "databases", "1",
            "maxmemory", "0",
            "maxmemory-policy", "noeviction",
            "notify-keyspace-events", "",
            "save", "",
            "timeout", "300"));

    private ConnectionCommands() {}

    static Reply ping(List<byte[]> words) throws WrongCommandException {
        if (words.size() > 2) {
            throw new WrongCommandException(Errors.wrongNumber("ping"));
        }
        return words.size() == 1 ? PONG : echo(words.get(1));
    }

    /// A client that sends much is not to make the node hold it.
    static Reply echo(byte[] message) throws WrongCommandException {
        if (message.length > LONGEST_MESSAGE) {
            throw new WrongCommandException("ERR message of more than " + LONGEST_MESSAGE + " bytes");
        }
        return new Reply.Bulk(message);
    }

    static Reply time(Instant now) {
        return Reply.Sequence.array(Stream.of(now.getEpochSecond(), now.getNano() / 1000L)
                .<Reply>map(number -> new Reply.Bulk(number.toString().getBytes(StandardCharsets.US_ASCII)))
                .toList());
    }

    static Reply auth(Session session, List<byte[]> words) throws WrongCommandException {
        if (words.size() > 3) {
            throw new WrongCommandException(Errors.SYNTAX);
        }
        Reply refused = session.authenticate(words.size() == 3 ? words.get(1) : null, words.getLast());
        return refused == null ? Reply.Plain.OK : refused;
    }

    /// `HELLO [2|3 [AUTH user token] [SETNAME name]]`; changes nothing where any of it is wrong.
    static Reply hello(Commands commands, Session session, List<byte[]> words) throws WrongCommandException {
        long version = words.size() > 1
                ? Errors.integer(words.get(1), "ERR Protocol version is not an integer or out of range")
                : session.resp3 ? 3 : 2;
        if (version != 2 && version != 3) {
            throw new WrongCommandException("NOPROTO unsupported protocol version");
        }
        byte[] user = null;
        byte[] secret = null;
        String name = null;
        for (int i = 2; i < words.size(); i++) {
            if (Words.is(words.get(i), "auth") && i + 2 < words.size()) {
                user = words.get(++i);
                secret = words.get(++i);
            } else if (Words.is(words.get(i), "setname") && i + 1 < words.size()) {
                name = name(words.get(++i));
            } else {
                throw new WrongCommandException(
                        "ERR Syntax error in HELLO option '" + Errors.shortened(words.get(i)) + "'");
            }
        }
        Reply refused = secret == null ? null : session.authenticate(user, secret);
        if (refused != null || !session.isTrusted()) {
            return refused == null ? Errors.NO_TOKEN_FOR_HELLO : refused;
        }
        session.resp3 = version == 3;
        session.name = name == null ? session.name : name;
        return new ReplyText(session.resp3)
                .add("%7 $server $kvant $version $" + commands.version() + " $proto :" + version)
                .add("$id :" + session.id() + " $mode $standalone $role $master $modules *0")
                .reply();
    }

    static Reply reset(Session session) {
        session.reset();
        return RESET;
    }

    static Reply select(byte[] word) throws WrongCommandException {
        return Errors.integer(word) == 0 ? Reply.Plain.OK : Errors.NO_DATABASE;
    }

    static Reply config(Session session, List<byte[]> words) throws WrongCommandException {
        String option = Words.option(words.get(1));
        if (option.equals("set") || option.equals("rewrite")) {
            throw new WrongCommandException(
                    "ERR CONFIG SET is not supported by this server: it is set when it is started");
        } else if (!option.equals("get")) {
            throw new WrongCommandException(Errors.unknownSubcommand(words.get(1), "config"));
        } else if (words.size() < 3) {
            throw new WrongCommandException(Errors.wrongNumber("config|get"));
        }
        Map<String, String> found = new TreeMap<>();
        for (byte[] word : words.subList(2, words.size())) {
            Glob glob = AllKeys.glob(Words.lower(word));
            SETTINGS.forEach((name, value) -> {
                if (glob.matches(name.getBytes(StandardCharsets.US_ASCII))) {
                    found.put(name, value);
                }
            });
        }
        ReplyText text = new ReplyText(session.resp3).add("%" + found.size());
        found.forEach((name, value) -> text.add("$" + name + " $" + value));
        return text.reply();
    }

    static Reply info(Commands commands, Session session, List<byte[]> words) {
        String all = String.format(
                Locale.ROOT,
                INFO,
                commands.version(),
                commands.engine(),
                ProcessHandle.current().pid(),
                (System.nanoTime() - commands.figures().beganNanos) / NANOS_PER_SECOND,
                commands.figures().connections());
        List<String> asked =
                words.subList(1, words.size()).stream().map(Words::option).toList();
        boolean whole = asked.isEmpty() || !Collections.disjoint(asked, List.of("all", "default", "everything"));
        String text = Stream.of(all.split("(?<=\n)\n"))
                .filter(section -> whole
                        || asked.contains(
                                section.substring(2, section.indexOf('\n')).toLowerCase(Locale.ROOT)))
                .collect(Collectors.joining("\n"));
        return new ReplyText(session.resp3).text(text.replace("\n", "\r\n")).reply();
    }

    // --- CLIENT ---

    static Reply client(Session session, List<byte[]> words) throws WrongCommandException {
        String option = Words.option(words.get(1));
        ReplyText text = new ReplyText(session.resp3);
        return switch (option + " " + words.size()) {
            case "id 2" -> new Reply.Number(session.id());
            case "getname 2" ->
                text.add(session.name.isEmpty() ? "_" : "$" + session.name).reply();
            case "list 2", "info 2" -> text.text(session.line()).reply();
            case "setname 3" -> {
                session.name = name(words.get(2));
                yield Reply.Plain.OK;
            }
            case "setinfo 4" -> {
                switch (Words.option(words.get(2))) {
                    case "lib-name" -> session.library = name(words.get(3));
                    case "lib-ver" -> session.libraryVersion = name(words.get(3));
                    default ->
                        throw new WrongCommandException(
                                "ERR Unrecognized option '" + Errors.shortened(words.get(2)) + "'");
                }
                yield Reply.Plain.OK;
            }
            case "getredir 2" -> new Reply.Number(-1);
            case "help 2" -> Reply.Raw.of(CLIENT_HELP.replace("\n", "\r\n"));
            default -> mode(option, words.size() == 3 ? Words.option(words.get(2)) : "", words.get(1));
        };
    }

    /// Modes that are off here, or have no effect.
    private static Reply mode(String option, String mode, byte[] word) {
        return switch (option + " " + mode) {
            case "reply on", "tracking off", "no-evict on", "no-evict off", "no-touch on", "no-touch off" ->
                Reply.Plain.OK;
            case "reply off", "reply skip" ->
                Errors.error(
                        "ERR CLIENT REPLY OFF and SKIP are not supported by this server: each command is answered");
            case "tracking on", "tracking " ->
                Errors.error("ERR CLIENT TRACKING is not supported by this server: it sends no invalidations");
            default ->
                switch (option) {
                    case "caching" ->
                        Errors.error("ERR CLIENT CACHING can be called only when the client is in tracking mode with"
                                + " OPTIN or OPTOUT mode enabled");
                    case "reply", "no-evict", "no-touch", "tracking" -> Errors.error(Errors.SYNTAX);
                    default -> Errors.unknownSubcommand(word, "client");
                };
        };
    }

    /// A name that is safe in a line of words: without blanks, and of bounded length.
    private static String name(byte[] word) throws WrongCommandException {
        for (byte b : word) {
            if (b <= ' ' || b == 0x7f || word.length > LONGEST_NAME) {
                throw new WrongCommandException("ERR Client names have up to " + LONGEST_NAME
                        + " printable characters, and no spaces, newlines or special characters.");
            }
        }
        return Words.text(word);
    }

    // --- COMMAND ---

    static Reply command(Session session, List<byte[]> words) throws WrongCommandException {
        ReplyText text = new ReplyText(session.resp3);
        List<CommandSpec> all = CommandSpec.ALL;
        String option = words.size() == 1 ? "info" : Words.option(words.get(1));
        if (option.equals("info") && words.size() <= 2) {
            text.add("*" + all.size());
            all.forEach(spec -> spec.describe(text));
        } else if (option.equals("info")) {
            List<byte[]> names = words.subList(2, words.size());
            if (names.size() > all.size()) {
                throw new WrongCommandException("ERR more than " + all.size() + " names, and there are no more");
            }
            text.add("*" + names.size());
            for (byte[] name : names) {
                CommandSpec spec = CommandSpec.find(name);
                if (spec == null) {
                    text.add("_");
                } else {
                    spec.describe(text);
                }
            }
        } else if (option.equals("count") && words.size() == 2) {
            return new Reply.Number(all.size());
        } else if (option.equals("docs")) {
            text.add("%0");
        } else if (option.equals("list") && words.size() == 2) {
            text.add("*" + all.size());
            all.forEach(spec -> text.add("$" + spec.name()));
        } else {
            throw new WrongCommandException(Errors.unknownSubcommand(words.get(1), "command"));
        }
        return text.reply();
    }
}
