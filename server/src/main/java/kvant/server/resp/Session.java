package kvant.server.resp;

import java.util.List;
import java.util.function.Supplier;
import kvant.server.access.AccessControl;
import kvant.server.access.Peer;
import kvant.server.access.Reloaded;
import kvant.server.access.Scope;
import kvant.server.access.Token;
import kvant.server.access.TokenSecret;
import kvant.server.access.Tokens;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// The state of one connection: its token, protocol version and client name.
///
/// A token is remembered by the hash of its secret and looked up again when the file of tokens has changed: one
/// that was taken out is refused with the next command. Owned by the event loop; a transaction with a script in it runs
/// on another thread, and reads and names it there.
public final class Session {

    /// The user for which clients send a password alone.
    private static final String DEFAULT_USER = "default";

    private static final Reply NO_TOKENS = Errors.error("ERR AUTH <password> called without any password configured for"
            + " the default user. Are you sure your configuration is correct?");

    // Constant.
    private final AccessControl access;
    private final @Nullable Reloaded<Tokens> tokens;
    private final Supplier<Peer> client;
    private final long id;
    private final long beganNanos = System.nanoTime();

    /// @param of the tokens among which it was found
    /// @param token null if it is there no more
    private record Identity(
            byte[] hash, Tokens of, @Nullable Token token) {}

    // Read by any thread.
    private volatile @Nullable Identity identity;
    private volatile @Nullable Peer peer;
    volatile String name = "";
    volatile String library = "";
    volatile String libraryVersion = "";

    // Owned by the event loop.
    boolean resp3;
    Queued queued = new Queued();

    /// @param client for the audit log; its certificate is known only after its first bytes
    public Session(AccessControl access, Supplier<Peer> client, long id) {
        this.access = access;
        this.tokens = access.tokens();
        this.client = client;
        this.id = id;
    }

    /// Whether the client has authenticated, if it must.
    public boolean isTrusted() {
        return tokens == null || token() != null;
    }

    public boolean isResp3() {
        return resp3;
    }

    /// Ends the queueing of a transaction, which is over, or begins to be carried out; no key is watched any more.
    Queued takeQueued() {
        Queued taken = queued;
        queued = new Queued();
        return taken;
    }

    public Queued queued() {
        return queued;
    }

    /// For the commands of a script, on any thread: its client was asked for its scopes before.
    Session ofScript() {
        return new Session(access.withoutTokens(), client, id);
    }

    /// Resets the session to its initial state.
    void reset() {
        identity = null;
        resp3 = false;
        queued = new Queued();
        name = "";
    }

    /// Takes a token.
    ///
    /// @param user null where a secret came alone
    /// @return null where it is one of this node
    @Nullable
    Reply authenticate(byte @Nullable [] user, byte[] secret) {
        Reloaded<Tokens> all = tokens;
        String called = user == null ? DEFAULT_USER : Words.text(user);
        if (all == null) {
            return user == null ? NO_TOKENS : called.equals(DEFAULT_USER) ? null : Errors.WRONG_TOKEN;
        }
        Tokens now = all.current();
        byte[] presented = secret.length <= TokenSecret.MAX_BYTES
                ? TokenSecret.digest().digest(secret)
                : new byte[TokenSecret.HASH_BYTES];
        Token found = now.find(presented);
        if (found == null || !called.equals(DEFAULT_USER) && !called.equals(found.name())) {
            access.refused(AccessControl.Reason.WRONG_TOKEN, "RESP AUTH", "-", peer());
            return Errors.WRONG_TOKEN;
        }
        identity = new Identity(presented, now, found);
        return null;
    }

    /// Why a command is not carried out, or null where it may be.
    @Nullable
    Reply refusal(CommandSpec spec) {
        Reply refusal = scopeRefusal(spec);
        Token mine = token();
        if (refusal != null || mine == null || spec.right() == CommandSpec.Right.NONE || mine.admits()) {
            return refusal;
        }
        return refuse(AccessControl.Reason.RATE, spec, Errors.RATE);
    }

    /// The same without the rate limit.
    @Nullable
    Reply scopeRefusal(CommandSpec spec) {
        if (tokens == null || spec.right() == CommandSpec.Right.NONE) {
            return null;
        }
        Token mine = token();
        if (mine == null) {
            return refuse(AccessControl.Reason.NO_TOKEN, spec, Errors.NO_TOKEN);
        }
        List<Scope> scopes = spec.right().scopes;
        for (int i = 0; i < scopes.size(); i++) {
            if (!mine.has(scopes.get(i))) {
                Reply refusal = Errors.notAllowed(spec.name(), scopes.get(i).word());
                return refuse(AccessControl.Reason.NO_SCOPE, spec, refusal);
            }
        }
        return null;
    }

    private Reply refuse(AccessControl.Reason reason, CommandSpec spec, Reply reply) {
        access.refused(reason, "RESP " + spec.name(), user(), peer());
        return reply;
    }

    /// Made when it is first asked for, and once: a client that is refused all the time is not to cost more.
    private Peer peer() {
        Peer known = peer;
        if (known == null) {
            known = client.get();
            peer = known;
        }
        return known;
    }

    /// Whether the client may read values.
    boolean mayRead() {
        Token mine = token();
        return tokens == null || mine != null && mine.has(Scope.READ);
    }

    private @Nullable Token token() {
        Identity known = identity;
        if (tokens != null && known != null && tokens.current() != known.of) {
            Tokens now = tokens.current();
            known = new Identity(known.hash, now, now.find(known.hash));
            identity = known;
        }
        return known == null ? null : known.token;
    }

    /// The name of its token, or `-`.
    public String user() {
        Identity known = identity;
        return known == null || known.token == null ? "-" : known.token.name();
    }

    long id() {
        return id;
    }

    /// A line as `CLIENT LIST` has it.
    String line() {
        return "id=" + id + " addr=" + peer().address() + " name=" + name + " age="
                + (System.nanoTime() - beganNanos) / 1_000_000_000 + " db=0 resp=" + (resp3 ? 3 : 2) + " user=" + user()
                + " lib-name=" + library + " lib-ver=" + libraryVersion + "\n";
    }
}
