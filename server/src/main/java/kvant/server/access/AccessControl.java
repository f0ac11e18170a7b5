package kvant.server.access;

import java.net.SocketAddress;
import java.util.concurrent.atomic.LongAdder;
import kvant.engine.MetricSink;
import org.jspecify.annotations.Nullable;

/// The permissions of clients at one of a node's listeners, and counters of refused requests. Any thread may call.
public final class AccessControl {

    /// The reason of a refusal.
    public enum Reason {
        NO_TOKEN("no-token"),
        WRONG_TOKEN("wrong-token"),
        NO_SCOPE("no-scope"),
        RATE("rate"),
        MISDIRECTED("misdirected"),
        CROSS_SITE("cross-site");

        private final String word;

        Reason(String word) {
            this.word = word;
        }
    }

    // Constant.
    private final @Nullable Reloaded<Tokens> tokens;
    private final boolean tellsOfAdministrators;
    private final AuditLog audit;

    // Atomic.
    private final LongAdder[] refused;

    /// @param tokens null for a listener without tokens, where every client may do everything
    /// @param named whether clients must authenticate, by tokens or certificates. If not, no client has a name, and
    ///     each of them is an administrator
    public AccessControl(@Nullable Reloaded<Tokens> tokens, boolean named, AuditLog audit) {
        this(tokens, named, audit, new LongAdder[Reason.values().length]);
        for (int i = 0; i < refused.length; i++) {
            refused[i] = new LongAdder();
        }
    }

    private AccessControl(
            @Nullable Reloaded<Tokens> tokens, boolean tellsOfAdministrators, AuditLog audit, LongAdder[] refused) {
        this.tokens = tokens;
        this.tellsOfAdministrators = tellsOfAdministrators;
        this.audit = audit;
        this.refused = refused;
    }

    /// The same account, and no tokens: for a listener that only its owner reaches.
    public AccessControl withoutTokens() {
        return new AccessControl(null, true, audit, refused);
    }

    /// The tokens; null where every client may do everything.
    public @Nullable Reloaded<Tokens> tokens() {
        return tokens;
    }

    /// @param what such as `GET /v0/entity`
    /// @param who name of the token, or `-`
    public void refused(Reason reason, String what, String who, Peer from) {
        refused[reason.ordinal()].increment();
        audit.refused(what, who, from, reason.word);
    }

    /// Records the refusal of a connection before its first request.
    public void refusedConnection(@Nullable SocketAddress client, String reason) {
        audit.refused("connection", "-", Peer.of(client, ""), reason);
    }

    /// Records an allowed request that needs the scope admin, where there are tokens. Logged where clients have
    /// names.
    public void administrative(String what, String who, Peer from) {
        if (tellsOfAdministrators) {
            audit.administrative(what, who, from);
        }
    }

    /// Records an allowed request that changes the node, also where clients have no names.
    public void changed(String what, String who, Peer from) {
        audit.changed(what, who, from);
    }

    public void measure(MetricSink sink) {
        for (Reason reason : Reason.values()) {
            long count = refused[reason.ordinal()].sum();
            String help = "Requests refused for a missing, unknown or insufficient token.";
            sink.counter("kvant_access_refused_total", help, count, "reason", reason.word);
        }
        int valid = tokens == null ? 0 : tokens.current().all().size();
        sink.gauge("kvant_tokens", "Tokens that are valid.", valid);
        Reloaded.measure(tokens, "tokens", sink);
        audit.measure(sink);
    }
}
