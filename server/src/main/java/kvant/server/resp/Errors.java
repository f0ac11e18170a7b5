package kvant.server.resp;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.http.contract.Problem;
import kvant.server.request.Failure;
import kvant.server.request.Outcome;

/// The errors of RESP: a word that programs read, and a line for people. Where Redis has the same error, it has the
/// same words. `TRYAGAIN` is what clients repeat by themselves and what costs them no connection: the node says
/// it where nothing was executed and the same command may succeed in a moment.
public final class Errors {

    private static final int LONGEST_WORD = 128;

    /// Longer strings of digits exceed 64 bits.
    private static final int MAX_DIGITS = 20;

    private static final int DECIMAL = 10;

    static final String SYNTAX = "ERR syntax error";
    static final String NOT_AN_INTEGER = "ERR value is not an integer or out of range";
    static final String NO_DIGESTS = "ERR IFDEQ and IFDNE are not supported: this server makes no digests";
    static final Reply NO_TOKEN = error(Problem.NO_TOKEN, "NOAUTH Authentication required.");
    static final Reply NO_TOKEN_FOR_HELLO = error(
            Problem.NO_TOKEN,
            "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto> AUTH"
                    + " <user> <pass> option can be used to authenticate the client and select the RESP protocol"
                    + " version at the same time");
    static final Reply WRONG_TOKEN =
            error(Problem.WRONG_TOKEN, "WRONGPASS invalid username-password pair or user is disabled.");
    static final Reply RATE =
            error(Problem.TOO_MANY_REQUESTS, "TRYAGAIN the token has used up its rate; nothing was executed");
    static final Reply OVERLOADED =
            error(Problem.OVERLOADED, "TRYAGAIN the node has as much work as it may hold; nothing was executed");
    static final Reply CONTENDED =
            error(Problem.OVERLOADED, "TRYAGAIN other clients keep changing the key; nothing was written");
    static final Reply NO_DATABASE =
            error("ERR DB index is out of range: this server has database 0 alone, and the connection is closed");
    static final Reply UNKNOWN_CURSOR =
            error("ERR unknown cursor: the node keeps those of the iterations that were used last; begin again with 0");

    private Errors() {}

    /// The error reply to a wrong command.
    ///
    /// @param line begins with the word that programs read
    static Reply error(String line) {
        return error(Problem.MALFORMED, line);
    }

    /// @param like equivalent problem of HTTP
    private static Reply error(Problem like, String line) {
        return new Reply.Raw(("-" + oneLine(line) + "\r\n").getBytes(StandardCharsets.UTF_8), like.status());
    }

    /// Of a client that does not speak RESP.
    ///
    /// @param what for a person
    public static Reply protocol(String what) {
        return error("ERR Protocol error: " + what);
    }

    /// Of a command that is longer than the node takes.
    ///
    /// @param what is too long, for a person
    public static Reply tooLong(String what) {
        return error(Problem.BODY_TOO_LARGE, "ERR " + what + "; nothing was executed");
    }

    static Reply wrongNumber(String command) {
        return error("ERR wrong number of arguments for '" + command + "' command");
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

    /// Of a command that did not come as far as the node: what its connection, or the memory for it, comes to.
    public static Reply of(Problem problem) {
        return switch (problem) {
            case OVERLOADED -> OVERLOADED;
            case REQUEST_TIMEOUT -> error(problem, "ERR Protocol error: the command did not arrive in time");
            default -> protocol("unexpected end of input");
        };
    }

    /// @param paths hidden in the engine's message
    static Reply of(Outcome.Failed failed, HiddenPaths paths) {
        return error(Problem.of(failed.kind()), word(failed.kind()) + " " + paths.hide(failed.detail()));
    }

    private static String word(Failure kind) {
        return switch (kind) {
            case OVERLOADED, DEADLINE_PASSED, ENGINE_BUSY -> "TRYAGAIN";
            case READ_ONLY -> "READONLY";
            case STORAGE_FULL -> "OOM";
            case WRITES_STOPPED -> "MISCONF";
            case REPLICAS_UNAVAILABLE -> "NOREPLICAS";
            default -> "ERR";
        };
    }

    static long integer(byte[] word) throws WrongCommandException {
        return integer(word, NOT_AN_INTEGER);
    }

    /// The number that a word of a command is: decimal, of 64 bits, without blanks, a plus sign or leading zeros.
    ///
    /// @param error if it is none
    static long integer(byte[] word, String error) throws WrongCommandException {
        boolean negative = word.length > 0 && word[0] == '-';
        int from = negative ? 1 : 0;
        boolean isNumber = word.length > from && word.length <= MAX_DIGITS && (word[from] != '0' || word.length == 1);
        long number = 0; // below zero there is room for one number more
        for (int i = from; i < word.length && isNumber; i++) {
            int digit = word[i] - '0';
            isNumber = digit >= 0 && digit < DECIMAL && number >= (Long.MIN_VALUE + digit) / DECIMAL;
            number = number * DECIMAL - digit;
        }
        if (!isNumber || !negative && number == Long.MIN_VALUE) {
            throw new WrongCommandException(error);
        }
        return negative ? number : -number;
    }

    /// The beginning of a client's word: the reply is held until the client has read it.
    static String shortened(byte[] word) {
        int length = Math.min(word.length, LONGEST_WORD);
        return new String(word, 0, length, StandardCharsets.UTF_8);
    }

    /// Replaces line ends: an error ends with its line, and a client's text must not end it earlier.
    static String oneLine(String text) {
        return text.replace('\r', ' ').replace('\n', ' ');
    }
}
