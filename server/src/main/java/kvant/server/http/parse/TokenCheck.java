package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import kvant.server.access.Reloaded;
import kvant.server.access.Scope;
import kvant.server.access.Token;
import kvant.server.access.TokenSecret;
import kvant.server.access.Tokens;
import kvant.server.http.contract.Bytes;
import kvant.server.http.contract.Problem;
import org.jspecify.annotations.Nullable;

/// The check of a request's token, `Authorization: Bearer TOKEN` (RFC 6750, section 2.1).
///
/// A connection remembers the last valid header ([KnownToken]): the same client sends the same one again and again.
/// The search goes through all tokens in any case, so that its time reveals nothing of a secret. A remembered token
/// is valid for one state of the file only: a removed token is refused with the next request. Owned by one event
/// loop.
final class TokenCheck {

    private static final byte[] SCHEME = "bearer".getBytes(StandardCharsets.US_ASCII);

    // Constant.
    private final @Nullable Reloaded<Tokens> tokens;
    private final MessageDigest digest = TokenSecret.digest();

    /// @param tokens null for a node without tokens, where every client may do everything
    TokenCheck(@Nullable Reloaded<Tokens> tokens) {
        this.tokens = tokens;
    }

    /// Reads the header.
    void read(ByteBuf in, int from, int to, RequestHead head) {
        head.authorizations++;
        if (tokens == null || head.authorizations > 1) { // a second one is refused in any case
            return;
        }
        Tokens now = tokens.current();
        KnownToken known = head.known;
        if (known != null && known.of == now && known.is(in, from, to)) {
            head.token = known.token;
            return;
        }
        Token token = find(now, in, from, to);
        head.token = token;
        if (token != null) {
            head.known = new KnownToken(now, token, in, from, to);
        }
    }

    private @Nullable Token find(Tokens now, ByteBuf in, int from, int to) {
        int scheme = Bytes.find(in, from, to, Bytes.SP);
        int secret = Bytes.skipBlanks(in, scheme, to);
        if (!Bytes.equalsIgnoreCase(in, from, scheme, SCHEME) || to <= secret || to - secret > TokenSecret.MAX_BYTES) {
            return null;
        }
        byte[] bytes = new byte[to - secret];
        in.getBytes(secret, bytes);
        return now.find(digest.digest(bytes));
    }

    /// Refuses a request that its token does not allow, once its head was concluded. A client without a token learns
    /// nothing else, except that it named a foreign host.
    void judge(RequestHead head) {
        Scope scope = head.route == null ? null : head.route.scope(head.method);
        boolean open = head.route != null && scope == null || head.preflight; // a preflight brings no token
        if (tokens != null && !open && !head.misdirected) {
            judge(head, scope);
        }
        head.allowed = head.refusal == null;
    }

    private static void judge(RequestHead head, @Nullable Scope scope) {
        if (head.authorizations > 1) {
            head.token = null; // which of them counts is in doubt
        }
        Token token = head.token;
        if (token == null) {
            head.refusal = head.authorizations == 0 ? Problem.NO_TOKEN : Problem.WRONG_TOKEN;
        } else if (scope != null && !token.has(scope)) {
            head.refusal = Problem.NO_SCOPE;
        } else if (head.refusal == null && !token.admits()) {
            head.refusal = Problem.TOO_MANY_REQUESTS;
        }
    }
}
