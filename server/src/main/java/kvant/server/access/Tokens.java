package kvant.server.access;

import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tokens of one state of their file.
public record Tokens(List<Token> all) {

    public Tokens {
        all = List.copyOf(all);
    }

    /// Finds the token with this hash. Reads all bytes of all tokens in any case, so that the time reveals nothing.
    ///
    /// @param hash of a secret that a client presents, by [TokenSecret#hash]
    public @Nullable Token find(byte[] hash) {
        Token found = null;
        for (Token token : all) {
            if (MessageDigest.isEqual(token.hash(), hash)) {
                found = token;
            }
        }
        return found;
    }
}
