package kvant.server.resp;

import java.util.List;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// The commands about a connection and about the node: all of them are answered at once.
final class ConnectionCommands {

    private static final int NANOS_PER_SECOND = 1_000_000_000;
    private static final int LONGEST_NAME = 128;
    private static final int LONGEST_MESSAGE = 4096;
    private static final Reply PONG = Reply.Raw.of("+PONG\r\n");
    private static final Reply NO_SILENCE =
            Errors.error("ERR CLIENT REPLY OFF and SKIP are not supported by this server: each command is answered");
    private static final Reply NO_TRACKING =
            Errors.error("ERR CLIENT TRACKING is not supported by this server: it sends no invalidations");
    private static final Reply NO_CACHING = Errors.error("ERR CLIENT CACHING can be called only when the client is in"
            + " tracking mode with OPTIN or OPTOUT mode enabled");
    private static final List<String> CLIENT_HELP = List.of(
            "CLIENT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
            "GETNAME, ID, INFO, LIST, GETREDIR",
            "SETNAME <name>, SETINFO (LIB-NAME|LIB-VER) <value>",
            "NO-EVICT (ON|OFF), NO-TOUCH (ON|OFF), REPLY ON, TRACKING OFF",
            "HELP");
    private static final Reply RESET = Reply.Raw.of("+RESET\r\n");

    private ConnectionCommands() {}

    static List<CommandSpec> specs() {
        return List.of(
                CommandSpec.plain("ping", -1, CommandSpec.Right.TOKEN, (_, _, words) -> ping(words)),
                CommandSpec.plain("echo", 2, CommandSpec.Right.TOKEN, (_, _, words) -> echo(words.get(1))),
                CommandSpec.plain("auth", -2, CommandSpec.Right.NONE, (_, session, words) -> auth(session, words)),
                CommandSpec.plain("hello", -1, CommandSpec.Right.NONE, ConnectionCommands::hello),
                CommandSpec.plain("quit", -1, CommandSpec.Right.NONE, (_, _, _) -> Reply.Plain.OK),
                CommandSpec.plain("reset", 1, CommandSpec.Right.NONE, (_, session, _) -> reset(session)),
                CommandSpec.plain("select", 2, CommandSpec.Right.TOKEN, (_, _, words) -> select(words.get(1))),
                CommandSpec.plain(
                        "info", -1, CommandSpec.Right.TOKEN, (c, session, words) -> info(c.facts(), session, words)),
                CommandSpec.plain("client", -2, CommandSpec.Right.TOKEN, (_, session, words) -> client(session, words)),
                CommandSpec.plain(
                        "command", -1, CommandSpec.Right.TOKEN, (_, session, words) -> command(session, words)));
    }

    private static Reply ping(List<byte[]> words) throws WrongCommandException {
        return switch (words.size()) {
            case 1 -> PONG;
            case 2 -> echo(words.get(1));
            default -> throw new WrongCommandException(Errors.wrongNumber("ping"));
        };
    }

    /// Whoever sends much is not to make the node hold it.
    private static Reply echo(byte[] message) throws WrongCommandException {
        if (message.length > LONGEST_MESSAGE) {
            throw new WrongCommandException(Errors.error("ERR message of more than " + LONGEST_MESSAGE + " bytes"));
        }
        return new Reply.Bulk(message);
    }

    private static Reply auth(Session session, List<byte[]> words) throws WrongCommandException {
        if (words.size() > 3) {
            throw new WrongCommandException(Errors.SYNTAX);
        }
        Reply refused = session.authenticate(words.size() == 3 ? words.get(1) : null, words.getLast());
        return refused == null ? Reply.Plain.OK : refused;
    }

    /// `HELLO [2|3 [AUTH user token] [SETNAME name]]`; changes nothing where any of it is wrong.
    private static Reply hello(Commands commands, Session session, List<byte[]> words) throws WrongCommandException {
        boolean resp3 = words.size() > 1 ? isResp3(words.get(1)) : session.isResp3();
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
                        Errors.error("ERR Syntax error in HELLO option '" + Errors.shortened(words.get(i)) + "'"));
            }
        }
        Reply refused = secret == null ? null : session.authenticate(user, secret);
        if (refused != null) {
            return refused;
        }
        if (!session.isTrusted()) {
            return Errors.NO_TOKEN_FOR_HELLO;
        }
        session.speak(resp3);
        if (name != null) {
            session.name(name);
        }
        return greeting(commands.facts(), session);
    }

    private static boolean isResp3(byte[] word) throws WrongCommandException {
        long version = Errors.integer(word, Errors.NOT_A_PROTOCOL);
        if (version != 2 && version != 3) {
            throw new WrongCommandException(Errors.NO_PROTOCOL);
        }
        return version == 3;
    }

    private static Reply greeting(ServerInfo facts, Session session) {
        return new ReplyText(session.isResp3())
                .map(7)
                .bulks("server", "kvant", "version", facts.version(), "proto")
                .number(session.isResp3() ? 3 : 2)
                .bulks("id")
                .number(session.id())
                .bulks("mode", "standalone", "role", "master", "modules")
                .array(0)
                .reply();
    }

    private static Reply reset(Session session) {
        session.reset();
        return RESET;
    }

    private static Reply select(byte[] word) throws WrongCommandException {
        return Errors.integer(word, Errors.NOT_AN_INTEGER) == 0 ? Reply.Plain.OK : Errors.NO_DATABASE;
    }

    /// What is true here of what Redis says; its version is that whose commands are spoken.
    private static Reply info(ServerInfo facts, Session session, List<byte[]> words) {
        String server =
                "# Server\r\nredis_version:7.0.15\r\nredis_mode:standalone\r\nserver_name:kvant\r\nkvant_version:"
                        + facts.version() + "\r\nengine:"
                        + facts.engine() + "\r\nprocess_id:"
                        + ProcessHandle.current().pid() + "\r\nuptime_in_seconds:"
                        + (System.nanoTime() - facts.beganNanos()) / NANOS_PER_SECOND + "\r\n";
        String clients = "# Clients\r\nconnected_clients:" + facts.connections().getAsInt() + "\r\n";
        String role = "# Replication\r\nrole:master\r\nconnected_slaves:0\r\n";
        StringBuilder text = new StringBuilder();
        if (wants(words, "server")) {
            text.append(server);
        }
        if (wants(words, "clients")) {
            text.append(text.isEmpty() ? "" : "\r\n").append(clients);
        }
        if (wants(words, "replication")) {
            text.append(text.isEmpty() ? "" : "\r\n").append(role);
        }
        return new ReplyText(session.isResp3()).text(text.toString()).reply();
    }

    private static boolean wants(List<byte[]> words, String section) {
        boolean wanted = words.size() == 1;
        for (int i = 1; i < words.size(); i++) {
            byte[] word = words.get(i);
            wanted |= Words.is(word, section)
                    || Words.is(word, "all")
                    || Words.is(word, "default")
                    || Words.is(word, "everything");
        }
        return wanted;
    }

    private static Reply client(Session session, List<byte[]> words) throws WrongCommandException {
        byte[] word = words.get(1);
        ReplyText text = new ReplyText(session.isResp3());
        if (Words.is(word, "id") && words.size() == 2) {
            return new Reply.Number(session.id());
        } else if (Words.is(word, "getname") && words.size() == 2) {
            return session.name().isEmpty()
                    ? Reply.Plain.NIL
                    : text.bulk(session.name()).reply();
        } else if (Words.is(word, "setname") && words.size() == 3) {
            session.name(name(words.get(2)));
            return Reply.Plain.OK;
        } else if (Words.is(word, "setinfo") && words.size() == 4) {
            return setInfo(session, words.get(2), words.get(3));
        } else if (Words.is(word, "list") && words.size() == 2 || Words.is(word, "info") && words.size() == 2) {
            return text.text(session.line()).reply();
        }
        return words.size() == 3 ? clientMode(word, words.get(2)) : clientState(word, text);
    }

    /// What is off here, or changes nothing.
    private static Reply clientMode(byte[] word, byte[] mode) throws WrongCommandException {
        boolean on = Words.is(mode, "on");
        boolean known = on || Words.is(mode, "off");
        if (Words.is(word, "reply") && (known || Words.is(mode, "skip"))) {
            return on ? Reply.Plain.OK : NO_SILENCE;
        } else if (Words.is(word, "tracking") && known) {
            return on ? NO_TRACKING : Reply.Plain.OK;
        } else if (Words.is(word, "caching")) {
            return NO_CACHING;
        }
        boolean isMode = Words.is(word, "no-evict") || Words.is(word, "no-touch");
        if (isMode && known) {
            return Reply.Plain.OK;
        } else if (isMode || Words.is(word, "reply") || Words.is(word, "tracking")) {
            throw new WrongCommandException(Errors.SYNTAX);
        }
        return Errors.unknownSubcommand(word, "client");
    }

    private static Reply clientState(byte[] word, ReplyText text) {
        if (Words.is(word, "getredir")) {
            return new Reply.Number(-1);
        } else if (Words.is(word, "tracking")) {
            return NO_TRACKING;
        } else if (!Words.is(word, "help")) {
            return Errors.unknownSubcommand(word, "client");
        }
        text.array(CLIENT_HELP.size());
        CLIENT_HELP.forEach(text::status);
        return text.reply();
    }

    private static Reply setInfo(Session session, byte[] attribute, byte[] value) throws WrongCommandException {
        if (Words.is(attribute, "lib-name")) {
            session.library(name(value));
            return Reply.Plain.OK;
        } else if (Words.is(attribute, "lib-ver")) {
            session.libraryVersion(name(value));
            return Reply.Plain.OK;
        }
        return Errors.error("ERR Unrecognized option '" + Errors.shortened(attribute) + "'");
    }

    /// What stands in a line of words: no blanks, and not longer than a line should be.
    private static String name(byte[] word) throws WrongCommandException {
        for (byte b : word) {
            if (b <= ' ' || b == 0x7f || word.length > LONGEST_NAME) {
                throw new WrongCommandException(Errors.error("ERR Client names have up to " + LONGEST_NAME
                        + " printable characters, and no spaces, newlines or special characters."));
            }
        }
        return Words.text(word);
    }

    private static Reply command(Session session, List<byte[]> words) throws WrongCommandException {
        ReplyText text = new ReplyText(session.isResp3());
        List<CommandSpec> all = Commands.table().all();
        if (words.size() == 1 || words.size() == 2 && Words.is(words.get(1), "info")) {
            text.array(all.size());
            all.forEach(spec -> spec.describe(text));
        } else if (Words.is(words.get(1), "count") && words.size() == 2) {
            return new Reply.Number(all.size());
        } else if (Words.is(words.get(1), "docs")) {
            text.map(0);
        } else if (Words.is(words.get(1), "list") && words.size() == 2) {
            text.array(all.size());
            all.forEach(spec -> text.bulk(spec.name()));
        } else if (Words.is(words.get(1), "info")) {
            describe(text, words.subList(2, words.size()));
        } else {
            return Errors.unknownSubcommand(words.get(1), "command");
        }
        return text.reply();
    }

    private static void describe(ReplyText text, List<byte[]> names) throws WrongCommandException {
        int most = Commands.table().all().size();
        if (names.size() > most) {
            throw new WrongCommandException(Errors.error("ERR more than " + most + " names, and there are no more"));
        }
        text.array(names.size());
        for (byte[] name : names) {
            @Nullable CommandSpec spec = Commands.table().find(name);
            if (spec == null) {
                text.nil();
            } else {
                spec.describe(text);
            }
        }
    }
}
