package kvant.server.access;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import kvant.server.access.Token.TokenRateLimit;
import org.jspecify.annotations.Nullable;

/// The file of tokens, one a line:
///
///     NAME SCOPE[,SCOPE...] sha256:HASH [rate=REQUESTS_PER_SECOND]
///
/// Words are separated by blanks. Empty lines and those that begin with `#` are ignored. A file without a token is
/// valid: then no client may do anything.
public final class TokenFile {

    private static final String WHAT = "token file";

    /// Bounds the tokens, because each unknown presented token is compared with all of them.
    private static final int MAX_TOKENS = 1000;

    private static final int MAX_RATE = 10_000_000;
    private static final int LEAST_WORDS = 3;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}");
    private static final Pattern HASH = Pattern.compile("sha256:[0-9a-fA-F]{" + 2 * TokenSecret.HASH_BYTES + "}");
    private static final Pattern RATE = Pattern.compile("rate=[0-9]{1,8}");

    private TokenFile() {}

    /// @throws InvalidFileException naming the file, and the line that is wrong
    public static Tokens read(Path file, LongSupplier nanoTime) throws InvalidFileException {
        String text = new String(GuardedFile.read(WHAT, file), StandardCharsets.UTF_8);
        List<Token> tokens = new ArrayList<>();
        Set<String> names = new HashSet<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            String[] words = line.strip().split("\\s+");
            if (words[0].isEmpty() || words[0].startsWith("#")) {
                continue;
            }
            try {
                tokens.add(token(words, nanoTime));
                if (!names.add(words[0])) {
                    throw new IllegalArgumentException("there is a token of this name above");
                }
                if (tokens.size() > MAX_TOKENS) {
                    throw new IllegalArgumentException("there are at most " + MAX_TOKENS + " tokens");
                }
            } catch (IllegalArgumentException e) {
                throw new InvalidFileException(WHAT + " " + file + ", line " + number + ": " + e.getMessage(), e);
            }
        }
        return new Tokens(tokens);
    }

    /// The names in a file.
    public static Set<String> names(Path file) throws InvalidFileException {
        return read(file, () -> 0).all().stream().map(Token::name).collect(Collectors.toSet());
    }

    /// The line of a new token.
    ///
    /// @param perSecond its rate, or 0 for any
    /// @throws IllegalArgumentException when a name, the scopes or the rate are not valid
    public static String line(String name, Set<Scope> scopes, String secret, int perSecond) {
        String line = name + " " + scopes.stream().map(Scope::word).collect(Collectors.joining(",")) + " sha256:"
                + HexFormat.of().formatHex(TokenSecret.hash(secret)) + (perSecond == 0 ? "" : " rate=" + perSecond);
        Token _ = token(line.split(" "), () -> 0);
        return line;
    }

    /// Errors contain no word of the line: it may be a secret in the wrong place.
    private static Token token(String[] words, LongSupplier nanoTime) {
        if (words.length < LEAST_WORDS || words.length > LEAST_WORDS + 1) {
            throw new IllegalArgumentException("a line is NAME SCOPES sha256:HASH, and perhaps rate=N");
        }
        if (!NAME.matcher(words[0]).matches()) {
            throw new IllegalArgumentException(
                    "a name is 1 to 64 letters, digits and _ . @ -, and begins with a letter or digit");
        }
        Set<Scope> scopes = scopes(words[1]);
        if (!HASH.matcher(words[2]).matches()) {
            throw new IllegalArgumentException(
                    "the third word is sha256: and 64 hexadecimal digits, as 'kvant token" + " new' prints them");
        }
        byte[] hash = HexFormat.of().parseHex(words[2], "sha256:".length(), words[2].length());
        return new Token(words[0], scopes, hash, words.length == LEAST_WORDS ? null : rate(words[3], nanoTime));
    }

    /// @throws IllegalArgumentException when it is no list of scopes
    public static Set<Scope> scopes(String words) {
        Set<Scope> scopes = EnumSet.noneOf(Scope.class);
        for (String word : words.split(",", -1)) {
            Scope scope = Scope.named(word);
            if (scope == null || !scopes.add(scope)) {
                throw new IllegalArgumentException(
                        "scopes are read, write and admin, each once, with commas between them");
            }
        }
        return scopes;
    }

    private static @Nullable TokenRateLimit rate(String word, LongSupplier nanoTime) {
        int perSecond = RATE.matcher(word).matches() ? Integer.parseInt(word.substring("rate=".length())) : 0;
        if (perSecond < 1 || perSecond > MAX_RATE) {
            throw new IllegalArgumentException(
                    "a rate is rate= and the requests a second, 1 to " + MAX_RATE + ", in decimal digits");
        }
        return new TokenRateLimit(perSecond, nanoTime);
    }
}
