package kvant.server.resp;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.http.contract.Problem;
import kvant.server.request.Failure;
import kvant.server.request.Outcome;
import kvant.server.resp.parse.Words;

/// The errors of RESP: a word that programs read, and a line for people. Where Redis has the same error, it has the
/// same words. `TRYAGAIN` is what clients repeat by themselves and what costs them no connection: the node says
/// it where nothing was executed and the same command may succeed in a moment.
final class Errors {

    private static final int LONGEST_WORD = 128;

    static final Reply SYNTAX = error("ERR syntax error");
    static final Reply NOT_AN_INTEGER = error("ERR value is not an integer or out of range");
    static final Reply OVERFLOW = error("ERR increment or decrement would overflow");
    static final Reply NO_TOKEN = error(Problem.NO_TOKEN, "NOAUTH Authentication required.");
    static final Reply NO_TOKEN_FOR_HELLO = error(
            Problem.NO_TOKEN,
            "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto> AUTH"
                    + " <user> <pass> option can be used to authenticate the client and select the RESP protocol"
                    + " version at the same time");
    static final Reply WRONG_TOKEN =
            error(Problem.WRONG_TOKEN, "WRONGPASS invalid username-password pair or user is disabled.");
    static final Reply NO_TOKENS = error("ERR AUTH <password> called without any password configured for the default"
            + " user. Are you sure your configuration is correct?");
    static final Reply RATE =
            error(Problem.TOO_MANY_REQUESTS, "TRYAGAIN the token has used up its rate; nothing was executed");
    static final Reply OVERLOADED =
            error(Problem.OVERLOADED, "TRYAGAIN the node has as much work as it may hold; nothing was executed");
    static final Reply CONTENDED =
            error(Problem.OVERLOADED, "TRYAGAIN other clients keep changing the key; nothing was written");
    static final Reply NOT_A_PROTOCOL = error("ERR Protocol version is not an integer or out of range");
    static final Reply NO_PROTOCOL = error("NOPROTO unsupported protocol version");
    static final Reply NO_DATABASE =
            error("ERR DB index is out of range: this server has database 0 alone, and the connection is closed");
    static final Reply UNKNOWN_CURSOR = error(
            "ERR unknown cursor: the node keeps those of the iterations that were used" + " last; begin again with 0");

    private Errors() {}

    /// Of a command that is wrong.
    ///
    /// @param line begins with the word that programs read
    static Reply error(String line) {
        return error(Problem.MALFORMED, line);
    }

    /// @param like what HTTP calls it
    private static Reply error(Problem like, String line) {
        return new Reply.Raw(("-" + oneLine(line) + "\r\n").getBytes(StandardCharsets.UTF_8), like.status());
    }

    static Reply protocol(String what) {
        return protocol(Problem.MALFORMED, what);
    }

    private static Reply protocol(Problem like, String what) {
        return error(like, "ERR Protocol error: " + what);
    }

    static Reply tooLong(String what) {
        return error(Problem.BODY_TOO_LARGE, "ERR " + what + "; nothing was executed");
    }

    static Reply wrongNumber(String command) {
        return error("ERR wrong number of arguments for '" + command + "' command");
    }

    static Reply wrongExpiry(String command) {
        return error("ERR invalid expire time in '" + command + "' command");
    }

    static Reply unknownSubcommand(byte[] word, String command) {
        return error(
                "ERR unknown subcommand '" + shortened(word) + "'. Try " + command.toUpperCase(Locale.ROOT) + " HELP.");
    }

    static Reply unknown(List<byte[]> words) {
        StringBuilder begin = new StringBuilder();
        for (int i = 1; i < words.size() && begin.length() < LONGEST_WORD; i++) {
            begin.append('\'').append(shortened(words.get(i))).append("' ");
        }
        return error("ERR unknown command '" + shortened(words.getFirst()) + "', with args beginning with: " + begin);
    }

    static Reply notAllowed(String command, String scope) {
        return error(Problem.NO_SCOPE, "NOPERM this token has no scope '" + scope + "', which '" + command + "' needs");
    }

    static Reply wrongKey(int bytes, int most) {
        return error("ERR key of " + bytes + " bytes; 1 to " + most + " are allowed");
    }

    /// Of what a connection, or the memory for it, comes to.
    static Reply of(Problem problem) {
        return switch (problem) {
            case OVERLOADED -> OVERLOADED;
            case REQUEST_TIMEOUT -> protocol(problem, "the command did not arrive in time");
            default -> protocol("unexpected end of input");
        };
    }

    /// @param paths left out of what an engine says
    static Reply of(Outcome.Failed failed, HiddenPaths paths) {
        return error(Problem.of(failed.kind()), word(failed.kind()) + " " + paths.hide(failed.detail()));
    }

    /// The number that a word of a command is.
    ///
    /// @param otherwise what the client is told where it is none
    static long integer(byte[] word, Reply otherwise) throws WrongCommandException {
        try {
            return Words.integer(word);
        } catch (Words.NotAnIntegerException _) {
            throw new WrongCommandException(otherwise);
        }
    }

    private static String word(Failure kind) {
        return switch (kind) {
            case OVERLOADED, DEADLINE_PASSED, ENGINE_BUSY -> "TRYAGAIN";
            case READ_ONLY -> "READONLY";
            case STORAGE_FULL -> "OOM";
            case WRITES_STOPPED -> "MISCONF";
            case REPLICAS_UNAVAILABLE -> "NOREPLICAS";
            case MALFORMED_BATCH,
                    ENGINE_CLOSED,
                    OUTCOME_UNKNOWN,
                    READ_TIMED_OUT,
                    UNSUPPORTED,
                    GONE,
                    CORRUPTION,
                    IO,
                    INTERNAL -> "ERR";
        };
    }

    /// So much of what a client sent: the reply is held until it has read it.
    static String shortened(byte[] word) {
        int length = Math.min(word.length, LONGEST_WORD);
        return new String(word, 0, length, StandardCharsets.UTF_8);
    }

    /// An error ends with its line: what a client sent is not to end it earlier.
    static String oneLine(String text) {
        return text.replace('\r', ' ').replace('\n', ' ');
    }
}
