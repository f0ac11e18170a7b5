package kvant.server.access;

import java.security.MessageDigest;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The tokens of one state of their file. Immutable.
public final class Tokens {

    private final List<Token> tokens;

    Tokens(List<Token> tokens) {
        this.tokens = List.copyOf(tokens);
    }

    Set<String> names() {
        return tokens.stream().map(Token::name).collect(Collectors.toSet());
    }

    public int count() {
        return tokens.size();
    }

    /// Finds the token with this hash. Reads all bytes of all tokens in any case, so that the time reveals nothing.
    ///
    /// @param hash of a secret that a client presents, by [TokenSecret#hash]
    public @Nullable Token find(byte[] hash) {
        Token found = null;
        for (Token token : tokens) {
            if (MessageDigest.isEqual(token.hash(), hash)) {
                found = token;
            }
        }
        return found;
    }
}
