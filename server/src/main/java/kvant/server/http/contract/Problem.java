package kvant.server.http.contract;

import kvant.server.access.AccessControl;
import kvant.server.request.Failure;
import org.jspecify.annotations.Nullable;

/// The error answers: status, stable type and texts (RFC 9457).
public enum Problem {
    MALFORMED(
            400, "malformed-request", "Malformed request", "the request is not HTTP/1.1 as RFC 9112 defines it", true),
    AMBIGUOUS_FRAMING(
            400,
            "ambiguous-framing",
            "Ambiguous framing",
            "the length of the request body is not stated in exactly one valid way",
            true),
    BAD_HOST(400, "bad-host", "Bad Host", "a request has exactly one valid Host header", true),
    UNKNOWN_PATH(400, "unknown-path", "Unknown path", "there is nothing at this path; see /openapi.yaml"),
    MISSING_KEY(
            400,
            "missing-key",
            "Missing key",
            "a key that is not empty is required, in the path or as the parameter id, start or prefix"),
    DUPLICATE_PARAMETER(400, "duplicate-parameter", "Duplicate parameter", "a parameter, or the key, is given twice"),
    BAD_ENCODING(400, "bad-encoding", "Bad percent-encoding", "a percent sign is followed by two hexadecimal digits"),
    BAD_REPLICAS(
            400,
            "bad-replicas",
            "Bad replicas",
            "0 < ack <= from, and from is the number of replicas that the engine has, in decimal digits"),
    BAD_PREFIX(400, "bad-prefix", "Bad prefix", "a range has either a prefix or a start and an end"),
    BAD_LIMIT(400, "bad-limit", "Bad limit", "limit is a positive decimal number"),
    BAD_ORDER(400, "bad-order", "Bad order", "order is key or none"),
    BAD_FROM(
            400,
            "bad-from",
            "Bad from",
            "from is a version to continue after, in decimal digits, or now; see docs/changes.md"),
    BAD_WAIT(400, "bad-wait", "Bad wait", "wait is a decimal number of seconds, 3600 at most"),
    BAD_FORMAT(400, "bad-format", "Bad format", "format is ndjson or sse"),
    BAD_TTL(400, "bad-ttl", "Bad ttl", "ttl is a decimal number of seconds, 1 to 9000000000000000"),
    MALFORMED_BATCH(400, "malformed-batch", "Malformed batch", "the body is not a batch"),
    UNEXPECTED_BODY(
            400, "unexpected-body", "Unexpected body", "this takes no body: PUT switches on, DELETE switches off"),
    PARTIAL_WRITE(
            400,
            "partial-write",
            "Partial write",
            "Content-Range says that the body is a part: the node stores whole values; nothing was written"),
    BAD_DEADLINE(
            400, "bad-deadline", "Bad deadline", "Kvant-Deadline-Millis is given once, as a positive decimal number"),
    BAD_PRECONDITION(
            400,
            "bad-precondition",
            "Bad precondition",
            "a write takes either If-None-Match: * or If-Match with * or one entity tag, a read one of the two headers"
                    + " with * or a list of up to 64 entity tags"),
    NO_TOKEN(401, "no-token", "Token required", "this needs a token: Authorization: Bearer TOKEN"),
    WRONG_TOKEN(401, "wrong-token", "Wrong token", "the token is not one of this node"),
    NO_SCOPE(403, "no-scope", "Not allowed", "the token is valid, and does not allow this"),
    CROSS_SITE(
            403,
            "cross-site",
            "Cross-site write",
            "a browser sends this write for a page of another origin than the one that its Host names"),
    READ_ONLY(403, "read-only", "Read-only", "the node is read-only: writes are refused, reads continue"),
    NOTHING_HERE(404, "unknown-path", "Unknown path", "there is nothing at this path; see /openapi.yaml"),
    NOT_FOUND(404, "not-found", "Not found", "the key has no value"),
    METHOD_NOT_ALLOWED_ENTITY(405, "method-not-allowed", "Method not allowed", "see Allow", "GET, HEAD, PUT, DELETE"),
    METHOD_NOT_ALLOWED_ENTITIES(405, "method-not-allowed", "Method not allowed", "see Allow", "GET"),
    METHOD_NOT_ALLOWED_BATCH(405, "method-not-allowed", "Method not allowed", "see Allow", "POST"),
    METHOD_NOT_ALLOWED_PROBE(405, "method-not-allowed", "Method not allowed", "see Allow", "GET, HEAD"),
    REQUEST_TIMEOUT(408, "request-timeout", "Request timeout", "the request did not arrive in time", true),
    GONE(410, "gone", "Gone", "the changes behind this version are no longer held: read the range again"),
    PRECONDITION_FAILED(412, "precondition-failed", "Precondition failed", "the key is not in the required state"),
    BODY_TOO_LARGE(413, "body-too-large", "Body too large", "the body is longer than the node takes", true),
    LINE_TOO_LONG(414, "uri-too-long", "URI too long", "the request line is longer than the node takes", true),
    KEY_TOO_LONG(414, "key-too-long", "Key too long", "the key is longer than the node takes"),
    UNSUPPORTED_MEDIA_TYPE(
            415,
            "unsupported-media-type",
            "Unsupported media type",
            "a batch is sent with Content-Type: application/vnd.kvant.batch"),
    UNSUPPORTED_CODING(
            415,
            "unsupported-content-coding",
            "Unsupported content coding",
            "a value is stored and answered without Content-Encoding: send it as it is; nothing was written"),
    RANGE_NOT_SATISFIABLE(
            416, "range-not-satisfiable", "Range not satisfiable", "the value has none of the bytes of the range"),
    BAD_EXPECTATION(417, "expectation-failed", "Expectation failed", "the only known expectation is 100-continue"),
    MISDIRECTED(
            421,
            "misdirected",
            "Misdirected request",
            "this node serves IP addresses, localhost and the names of --allowed-hosts, and the request names another"
                    + " host"),
    TOO_MANY_REQUESTS(
            429, "too-many-requests", "Too many requests", "the token has used up its rate; nothing was executed", 1),
    HEADERS_TOO_LARGE(
            431,
            "headers-too-large",
            "Request header fields too large",
            "the headers are longer or more than the node takes",
            true),
    INTERNAL(500, "internal", "Internal error", "the node failed to carry out the request; see its log"),
    CORRUPTION(500, "corruption", "Stored bytes are damaged", "the value cannot be read"),
    IO(500, "io", "Storage failed", "the storage failed"),
    UNKNOWN_CODING(
            501,
            "unknown-transfer-coding",
            "Unknown transfer coding",
            "the only known transfer coding is chunked",
            true),
    UNSUPPORTED(501, "unsupported", "Not supported by this engine", "the engine of this node cannot do this"),
    OVERLOADED(503, "overloaded", "Overloaded", "the node has as much work as it may hold; nothing was executed", 1),
    DEADLINE_PASSED(
            503,
            "deadline-passed",
            "Deadline passed",
            "the deadline passed before the request was begun; nothing was executed",
            1),
    CLOSING(503, "closing", "Closing", "the engine is closed"),
    WRITES_STOPPED(503, "writes-stopped", "Writes stopped", "the log cannot be written; a restart recovers"),
    REPLICAS_UNAVAILABLE(
            504, "replicas-unavailable", "Too few replicas", "too few replicas live; the request was not applied"),
    OUTCOME_UNKNOWN(
            504, "outcome-unknown", "Outcome unknown", "the replicas did not answer in time; it may have been applied"),
    READ_TIMED_OUT(504, "read-timed-out", "Read timed out", "the replicas did not answer in time"),
    BAD_VERSION(505, "http-version", "HTTP version not supported", "this node speaks HTTP/1.1 and HTTP/1.0", true),
    STORAGE_FULL(507, "storage-full", "Storage full", "there is no room on the disk; reads continue");

    private static final String TYPE_PREFIX = "urn:kvant:problem:";
    public static final int NO_RETRY = 0;
    private static final int FIRST_FAILURE = 500;

    private final int status;
    private final String type;
    private final String title;
    private final String detail;
    private final String allow;
    private final int retryAfterSeconds;
    private final boolean closes;

    Problem(int status, String type, String title, String detail) {
        this(status, type, title, detail, "", NO_RETRY, false);
    }

    Problem(int status, String type, String title, String detail, boolean closes) {
        this(status, type, title, detail, "", NO_RETRY, closes);
    }

    Problem(int status, String type, String title, String detail, String allow) {
        this(status, type, title, detail, allow, NO_RETRY, false);
    }

    Problem(int status, String type, String title, String detail, int retryAfterSeconds) {
        this(status, type, title, detail, "", retryAfterSeconds, false);
    }

    Problem(int status, String type, String title, String detail, String allow, int retryAfter, boolean closes) {
        this.status = status;
        this.type = TYPE_PREFIX + type;
        this.title = title;
        this.detail = detail;
        this.allow = allow;
        this.retryAfterSeconds = retryAfter;
        this.closes = closes;
    }

    /// Whether the connection is closed, because its further bytes cannot be trusted or are not wanted.
    public boolean closes() {
        return closes;
    }

    public int status() {
        return status;
    }

    /// A URN that stays the same.
    public String type() {
        return type;
    }

    public String title() {
        return title;
    }

    /// The default text, used when there is no more exact one.
    public String detail() {
        return detail;
    }

    /// The methods that the path knows, or empty.
    public String allow() {
        return allow;
    }

    /// The value of `WWW-Authenticate` (RFC 6750, section 3), or empty.
    public String challenge() {
        return switch (this) {
            case NO_TOKEN -> "Bearer realm=\"kvant\"";
            case WRONG_TOKEN -> "Bearer realm=\"kvant\", error=\"invalid_token\"";
            case NO_SCOPE -> "Bearer realm=\"kvant\", error=\"insufficient_scope\"";
            default -> "";
        };
    }

    /// The reason of a refusal for its sender's lack of permission; null for another problem.
    public AccessControl.@Nullable Reason reasonOfAccess() {
        return switch (this) {
            case NO_TOKEN -> AccessControl.Reason.NO_TOKEN;
            case WRONG_TOKEN -> AccessControl.Reason.WRONG_TOKEN;
            case NO_SCOPE -> AccessControl.Reason.NO_SCOPE;
            case TOO_MANY_REQUESTS -> AccessControl.Reason.RATE;
            case MISDIRECTED -> AccessControl.Reason.MISDIRECTED;
            case CROSS_SITE -> AccessControl.Reason.CROSS_SITE;
            default -> null;
        };
    }

    /// The delay before a retry, or [#NO_RETRY].
    public int retryAfterSeconds() {
        return retryAfterSeconds;
    }

    /// Whether an operator may look for this request in the node's log: the request failed, and a retry is not the
    /// whole remedy.
    public boolean isLookedInto() {
        return status >= FIRST_FAILURE && retryAfterSeconds == NO_RETRY;
    }

    public static Problem of(Failure failure) {
        return switch (failure) {
            case OVERLOADED, ENGINE_BUSY -> OVERLOADED;
            case DEADLINE_PASSED -> DEADLINE_PASSED;
            case MALFORMED_BATCH -> MALFORMED_BATCH;
            case ENGINE_CLOSED -> CLOSING;
            case WRITES_STOPPED -> WRITES_STOPPED;
            case READ_ONLY -> READ_ONLY;
            case STORAGE_FULL -> STORAGE_FULL;
            case CORRUPTION -> CORRUPTION;
            case REPLICAS_UNAVAILABLE -> REPLICAS_UNAVAILABLE;
            case OUTCOME_UNKNOWN -> OUTCOME_UNKNOWN;
            case READ_TIMED_OUT -> READ_TIMED_OUT;
            case UNSUPPORTED -> UNSUPPORTED;
            case GONE -> GONE;
            case IO -> IO;
            case INTERNAL -> INTERNAL;
        };
    }

    /// The reason phrase of the status code (RFC 9110, section 15).
    public String reason() {
        return switch (status) {
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 408 -> "Request Timeout";
            case 410 -> "Gone";
            case 412 -> "Precondition Failed";
            case 413 -> "Content Too Large";
            case 414 -> "URI Too Long";
            case 415 -> "Unsupported Media Type";
            case 416 -> "Range Not Satisfiable";
            case 417 -> "Expectation Failed";
            case 421 -> "Misdirected Request";
            case 429 -> "Too Many Requests";
            case 431 -> "Request Header Fields Too Large";
            case 500 -> "Internal Server Error";
            case 501 -> "Not Implemented";
            case 503 -> "Service Unavailable";
            case 504 -> "Gateway Timeout";
            case 505 -> "HTTP Version Not Supported";
            case 507 -> "Insufficient Storage";
            default -> title;
        };
    }
}
