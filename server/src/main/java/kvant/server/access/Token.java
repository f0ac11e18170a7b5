package kvant.server.access;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A token as the node knows it: never its secret.
public final class Token {

    // Constant.
    private final String name;
    private final int scopes;
    private final byte[] hash;
    private final @Nullable TokenRateLimit rate;

    /// @param rate null for any
    Token(String name, Set<Scope> scopes, byte[] hash, @Nullable TokenRateLimit rate) {
        this.name = name;
        int bits = 0;
        for (Scope scope : scopes) {
            bits |= scope.bit();
        }
        this.scopes = bits;
        this.hash = hash;
        this.rate = rate;
    }

    /// For people: what audit lines call it.
    public String name() {
        return name;
    }

    public boolean has(Scope scope) {
        return (scopes & scope.bit()) != 0;
    }

    /// Whether its rate allows one more request now, which counts if so.
    public boolean admits() {
        return rate == null || rate.admits();
    }

    byte[] hash() {
        return hash;
    }
}
