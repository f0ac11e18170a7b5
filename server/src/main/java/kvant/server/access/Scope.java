package kvant.server.access;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The permissions of a token. No scope includes another: a token has exactly those that its line names.
public enum Scope {
    /// Read keys and ranges.
    READ,
    /// Put, delete, batches.
    WRITE,
    /// Figures and pages about the node.
    ADMIN;

    /// @return null where there is none of this name
    static @Nullable Scope named(String word) {
        for (Scope scope : values()) {
            if (scope.word().equals(word)) {
                return scope;
            }
        }
        return null;
    }

    /// Its name in a file of tokens.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
