package kvant.server.http.parse;

import java.util.Map;
import java.util.Objects;
import kvant.server.access.Scope;
import kvant.server.access.Token;
import kvant.server.http.contract.Authority;
import kvant.server.http.contract.ByteRange;
import kvant.server.http.contract.Method;
import kvant.server.http.contract.Problem;
import kvant.server.http.contract.Route;
import kvant.server.request.PageSource;
import kvant.server.request.Precondition;
import kvant.server.request.Request;
import kvant.server.request.RequestTrace;
import org.jspecify.annotations.Nullable;

/// The parsed head of a request; one per reader, reused for each request.
///
/// Filled by [TargetParser] and [HeaderParser], checked by [#conclude].
public final class RequestHead {

    static final long NO_LENGTH = -1;

    private static final byte[] NO_LINES = {};

    /// The request leaves it to the engine how many replicas must answer.
    static final int USUAL_ACKS = 0;

    /// The value of `from` in a request without one.
    static final long NO_VERSION = -2;

    /// The form of changes.
    enum Format {
        AS_ACCEPTED,
        NDJSON,
        EVENTS
    }

    // Request line.
    Method method = Method.OTHER;

    @Nullable
    Route route;

    boolean http10;

    // Query. `key` is the id of an entity, the start of a range, or the prefix of one.
    byte @Nullable [] key;
    boolean prefix;
    byte @Nullable [] end;
    long limit = Long.MAX_VALUE;
    boolean ordered = true;
    long ttlSeconds;
    int acks = USUAL_ACKS;
    boolean verbose;
    long from = NO_VERSION;
    long waitSeconds;
    Format format = Format.AS_ACCEPTED;

    // Headers.
    int hosts;

    /// The one that counts, of the target or of `Host`.
    @Nullable
    Authority host;

    boolean misdirected;

    int authorizations;

    /// The token of the last of these headers; null for one unknown to this node.
    @Nullable
    Token token;

    /// Whether all checks are done and found nothing wrong.
    boolean allowed;

    /// The last header of this connection that was right; stays from one request to the next.
    @Nullable
    KnownToken known;

    @Nullable
    String origin;

    /// Whether its origin cannot be determined.
    boolean foreignOrigin;

    boolean crossSite;

    /// Whether pages of its origin may read and write keys.
    boolean allowedOrigin;

    boolean requestedMethod;

    /// A browser asks whether a page of that origin may ask.
    boolean preflight;

    byte[] corsLines = NO_LINES;
    int types;
    boolean batchType;
    long contentLength = NO_LENGTH;
    boolean transferEncoding;
    boolean chunkedLast;
    boolean codingAfterChunked;
    boolean unknownCoding;
    boolean expectContinue;
    boolean expectOther;
    boolean connectionClose;
    boolean connectionKeepAlive;
    boolean ndjson;
    boolean eventStream;
    boolean html;
    long deadlineMillis;

    /// Of the path `/`, which leads browsers to the live page: the answer to other clients.
    @Nullable
    Problem otherwise;

    /// The client's ids for the request and its trace.
    RequestTrace trace = RequestTrace.NONE;

    int requestIds;
    int traceParents;

    /// The `Accept` header, for pages about the node; other requests do not need the text.
    String accept = "";

    /// The bytes of the value that are wanted, and of which version.
    @Nullable
    ByteRange range;

    int ranges;
    long ifRange = ByteRange.ANY_VERSION;

    @Nullable
    Precondition ifMatch;

    @Nullable
    Precondition ifNoneMatch;

    /// The first thing that was wrong in a way that leaves the connection usable.
    @Nullable
    Problem refusal;

    void reset() {
        method = Method.OTHER;
        route = null;
        http10 = false;
        key = null;
        prefix = false;
        end = null;
        limit = Long.MAX_VALUE;
        ordered = true;
        ttlSeconds = 0;
        acks = USUAL_ACKS;
        verbose = false;
        resetChanges();
        hosts = 0;
        host = null;
        misdirected = false;
        authorizations = 0;
        token = null;
        allowed = false;
        resetOrigin();
        resetBody();
        expectContinue = false;
        expectOther = false;
        connectionClose = false;
        connectionKeepAlive = false;
        ndjson = false;
        html = false;
        otherwise = null;
        deadlineMillis = 0;
        trace = RequestTrace.NONE;
        requestIds = 0;
        traceParents = 0;
        accept = "";
        resetConditions();
        refusal = null;
    }

    private void resetBody() {
        types = 0;
        batchType = false;
        contentLength = NO_LENGTH;
        transferEncoding = false;
        chunkedLast = false;
        codingAfterChunked = false;
        unknownCoding = false;
    }

    private void resetOrigin() {
        origin = null;
        foreignOrigin = false;
        crossSite = false;
        allowedOrigin = false;
        requestedMethod = false;
        preflight = false;
        corsLines = NO_LINES;
    }

    private void resetChanges() {
        from = NO_VERSION;
        waitSeconds = 0;
        format = Format.AS_ACCEPTED;
        eventStream = false;
    }

    private void resetConditions() {
        ifMatch = null;
        ifNoneMatch = null;
        range = null;
        ranges = 0;
        ifRange = ByteRange.ANY_VERSION;
    }

    void refuse(Problem problem) {
        if (refusal == null) {
            refusal = problem;
        }
    }

    /// The first thing that was wrong in a way that leaves the connection usable, or null.
    public @Nullable Problem refusal() {
        return refusal;
    }

    /// Whether it is a permitted request about the node itself.
    public boolean isAdministrative() {
        return allowed && route != null && route.scope(method) == Scope.ADMIN;
    }

    /// Name of its token, or `-`.
    public String tokenName() {
        return token == null ? "-" : token.name();
    }

    public Method method() {
        return method;
    }

    /// The path without a key; empty for an unknown one.
    public String path() {
        return route == null ? "" : route.path();
    }

    /// The key, or the first key of a range; null where there is none.
    public byte @Nullable [] key() {
        return key;
    }

    /// The parameter that would have the key, wherever it is.
    public String keyParameter() {
        return prefix ? "prefix" : route == Route.ENTITIES ? "start" : "id";
    }

    /// Method and path, without keys: `GET /v0/entity`.
    public String what() {
        return method + " " + (route == null ? "an unknown path" : route.path());
    }

    /// The client's ids for the request and its trace.
    public RequestTrace trace() {
        return trace;
    }

    /// The header lines of its answer for cross-origin requests of browsers, whole lines.
    public byte[] corsLines() {
        return corsLines;
    }

    public boolean isHeadOnly() {
        return method == Method.HEAD;
    }

    public boolean isHttp10() {
        return http10;
    }

    public boolean acceptsNdjson() {
        return ndjson;
    }

    /// Whether changes are sent as server-sent events.
    boolean isForEvents() {
        return format == Format.EVENTS || format == Format.AS_ACCEPTED && eventStream && !ndjson;
    }

    public boolean isVerbose() {
        return verbose;
    }

    /// The bytes of a value that a get is for, or null where it is for all of them.
    public @Nullable ByteRange range() {
        ByteRange wanted = range;
        return wanted == null || ranges > 1 || route != Route.ENTITY || method != Method.GET
                ? null
                : wanted.ifVersion(ifRange);
    }

    /// The client's limit on the wait before the request is begun, in milliseconds, or 0.
    public long deadlineMillis() {
        return deadlineMillis;
    }

    /// Whether the client wants the connection to stay open.
    public boolean keepAlive() {
        return !connectionClose && (!http10 || connectionKeepAlive);
    }

    /// Whether its method may change something.
    public boolean isWrite() {
        return method == Method.PUT || method == Method.DELETE || method == Method.POST;
    }

    /// Whether its method may store its body.
    boolean takesBody() {
        return method == Method.PUT || method == Method.POST;
    }

    boolean hasBody() {
        return transferEncoding || contentLength > 0;
    }

    /// The precondition on the key; meaningful once concluded without a refusal.
    Precondition precondition() {
        if (ifMatch != null) {
            return ifMatch;
        }
        return ifNoneMatch != null ? ifNoneMatch : Precondition.Plain.NONE;
    }

    /// Checks the head as a whole, once its last line has been read.
    ///
    /// @return the problem after which nothing on this connection can be trusted or is wanted any more, or null
    @Nullable
    Problem conclude(long maxBodyBytes) {
        if (hosts > 1 || hosts == 0 && !http10) {
            return Problem.BAD_HOST;
        }
        if (transferEncoding) {
            if (http10 || contentLength != NO_LENGTH || !chunkedLast || codingAfterChunked) {
                return Problem.AMBIGUOUS_FRAMING;
            }
            if (unknownCoding) {
                return Problem.UNKNOWN_CODING;
            }
        }
        if (contentLength > maxBodyBytes) {
            return Problem.BODY_TOO_LARGE;
        }
        if (expectOther) {
            refuse(Problem.BAD_EXPECTATION);
        }
        refuseMisfits();
        refuseStrangers();
        return null;
    }

    /// Refuses headers and bodies that do not fit the route.
    private void refuseMisfits() {
        if (otherwise != null && !html) {
            refuse(otherwise);
        }
        boolean switches = route == Route.READ_ONLY && isWrite();
        if (route == Route.ENTITY && !isPreconditionUsable()) {
            refuse(Problem.BAD_PRECONDITION);
        }
        if (route == Route.CHANGES && from == NO_VERSION) {
            refuse(Problem.BAD_FROM);
        }
        if ((route == Route.BATCH || switches) && (ifMatch != null || ifNoneMatch != null)) {
            refuse(Problem.BAD_PRECONDITION); // a condition that was left out would be worse than none
        }
        if (switches && hasBody()) {
            refuse(Problem.UNEXPECTED_BODY); // who sends "false" expects something else than the method says
        }
        if (route == Route.BATCH && !batchType && !preflight) {
            refuse(Problem.UNSUPPORTED_MEDIA_TYPE); // browsers let any page send a body, but not of this type
        }
    }

    /// Refuses foreign hosts, and writes from foreign pages. This refusal replaces any other, to reveal nothing else.
    private void refuseStrangers() {
        if (misdirected) {
            refusal = Problem.MISDIRECTED;
        } else if (isWrite() && !allowedOrigin && crossSite) {
            refusal = Problem.CROSS_SITE;
        }
    }

    private boolean isPreconditionUsable() {
        if (ifMatch != null && ifNoneMatch != null) {
            return false;
        }
        if (method == Method.GET || method == Method.HEAD) {
            return true;
        }
        return switch (precondition()) {
            case Precondition.Plain _ -> true;
            case Precondition.VersionIn(long[] versions) -> versions.length <= 1;
            case Precondition.VersionNotIn _ -> false;
        };
    }

    /// Creates the request, once the head is concluded without a refusal.
    Request request(byte[] body, Map<Route, PageSource> pages) {
        if (preflight) {
            return Request.Probe.PREFLIGHT;
        }
        return switch (Objects.requireNonNull(route, "a request without a route is refused before")) {
            case ENTITY -> entity(body);
            case ENTITIES ->
                (prefix ? Request.Scan.ofPrefix(neededKey(), limit) : Request.Scan.between(neededKey(), end, limit))
                        .ordered(ordered);
            case CHANGES -> new Request.Changes(from, waitSeconds, isForEvents());
            case BATCH -> new Request.Batch(body);
            case LIVEZ -> Request.Probe.ALIVE;
            case READYZ -> Request.Probe.READY;
            case READ_ONLY -> readOnly();
            case UI -> otherwise == null ? page(pages) : Request.Probe.LIVE_PAGE;
            case METRICS, STATUS, OPEN_API, SLOW, UI_SLOW, UI_HISTORY -> page(pages);
        };
    }

    private Request page(Map<Route, PageSource> pages) {
        return new Request.Page(Objects.requireNonNull(pages.get(route)), accept);
    }

    private Request entity(byte[] body) {
        byte[] id = neededKey();
        return switch (method) {
            case GET, HEAD -> new Request.Get(id, precondition(), acks, method == Method.HEAD);
            case PUT -> new Request.Put(id, body, ttlSeconds, precondition(), acks);
            case DELETE -> new Request.Delete(id, precondition(), acks);
            case POST, OPTIONS, OTHER -> throw new IllegalStateException("another method is refused before");
        };
    }

    private Request readOnly() {
        return isWrite() ? method == Method.PUT ? Request.ReadOnly.BEGIN : Request.ReadOnly.END : Request.ReadOnly.ASK;
    }

    private byte[] neededKey() {
        return Objects.requireNonNull(key, "a request without a key is refused before");
    }
}
