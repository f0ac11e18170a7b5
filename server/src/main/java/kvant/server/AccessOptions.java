package kvant.server;

import java.nio.file.Path;
import java.util.function.Consumer;
import kvant.server.http.tls.TlsContext.TlsFiles;
import kvant.text.Drafts;
import org.jspecify.annotations.Nullable;

/// The permissions of clients, and the listener for administration.
///
///     AccessOptions.none().with(a -> a.tokens = Path.of("tokens"))
///
/// @param tokens file of tokens, or null for a node where every client may do everything
/// @param tls of every port, or null for none
/// @param adminHost name or address of the listener for metrics and pages about the node
/// @param adminPort its port, 0 for any that is free, or [#NO_PORT]; with it, or with an `adminSocket`, the other
///     port serves only keys and values
/// @param adminSocket Unix socket for the same, which its owner alone reaches, without a token; or null
public record AccessOptions(
        @Nullable Path tokens,
        @Nullable TlsFiles tls,
        String adminHost,
        int adminPort,
        @Nullable Path adminSocket) {

    public static final int NO_PORT = -1;

    private static final int MAX_PORT = 65_535;

    public AccessOptions {
        if (adminHost.isBlank()) {
            throw new IllegalArgumentException("the administrative host is not empty");
        }
        if (adminPort < NO_PORT || adminPort > MAX_PORT) {
            throw new IllegalArgumentException("the administrative port is 0 to " + MAX_PORT + ", not " + adminPort);
        }
    }

    /// Options without authentication: every client that reaches the node may do everything.
    public static AccessOptions none() {
        return Drafts.made(AccessOptions.class, new Draft());
    }

    public AccessOptions with(Consumer<Draft> change) {
        return Drafts.changed(AccessOptions.class, this, new Draft(), change);
    }

    /// Whether clients must authenticate.
    public boolean authenticates() {
        return tokens != null || tls != null && tls.clientAuthorities() != null;
    }

    /// Whether there is a separate listener for metrics and pages about the node.
    boolean isApart() {
        return adminPort != NO_PORT || adminSocket != null;
    }

    /// Options in the making; begins with none.
    public static final class Draft {

        public @Nullable Path tokens;
        public @Nullable TlsFiles tls;
        public String adminHost = NodeOptions.DEFAULT_HOST;
        public int adminPort = NO_PORT;
        public @Nullable Path adminSocket;

        private Draft() {}
    }
}
