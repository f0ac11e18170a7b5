package kvant.server.http.contract;

import java.util.Locale;
import kvant.server.access.AccessControl;
import kvant.server.request.Failure;
import org.jspecify.annotations.Nullable;

/// The error answers: status, stable type and texts (RFC 9457).
public enum Problem {
    MALFORMED(400, "malformed-request", "the request is not HTTP/1.1 as RFC 9112 defines it"),
    AMBIGUOUS_FRAMING(
            400, "ambiguous-framing", "the length of the request body is not stated in exactly one valid way"),
    BAD_HOST(400, "bad-host", "Bad Host", "a request has exactly one valid Host header"),
    UNKNOWN_PATH(400, "unknown-path", "there is nothing at this path; see /openapi.yaml"),
    MISSING_KEY(
            400,
            "missing-key",
            "a key that is not empty is required, in the path or as the parameter id, start or prefix"),
    DUPLICATE_PARAMETER(400, "duplicate-parameter", "a parameter, or the key, is given twice"),
    BAD_ENCODING(400, "bad-encoding", "Bad percent-encoding", "a percent sign is followed by two hexadecimal digits"),
    BAD_REPLICAS(
            400,
            "bad-replicas",
            "0 < ack <= from, and from is the number of replicas that the engine has, in decimal digits"),
    BAD_PREFIX(400, "bad-prefix", "a range has either a prefix or a start and an end"),
    BAD_LIMIT(400, "bad-limit", "limit is a positive decimal number"),
    BAD_ORDER(400, "bad-order", "order is key or none"),
    BAD_FROM(400, "bad-from", "from is a version to continue after, in decimal digits, or now; see docs/changes.md"),
    BAD_WAIT(400, "bad-wait", "wait is a decimal number of seconds, 3600 at most"),
    BAD_FORMAT(400, "bad-format", "format is ndjson or sse"),
    BAD_TTL(400, "bad-ttl", "ttl is a decimal number of seconds, 1 to 9000000000000000"),
    MALFORMED_BATCH(400, "malformed-batch", "the body is not a batch"),
    UNEXPECTED_BODY(400, "unexpected-body", "this takes no body: PUT switches on, DELETE switches off"),
    PARTIAL_WRITE(
            400,
            "partial-write",
            "Content-Range says that the body is a part: the node stores whole values; nothing was written"),
    BAD_DEADLINE(400, "bad-deadline", "Kvant-Deadline-Millis is given once, as a positive decimal number"),
    BAD_PRECONDITION(
            400,
            "bad-precondition",
            "a write takes either If-None-Match: * or If-Match with * or one entity tag, a read one of the two headers"
                    + " with * or a list of up to 64 entity tags"),
    NO_TOKEN(401, "no-token", "Token required", "this needs a token: Authorization: Bearer TOKEN"),
    WRONG_TOKEN(401, "wrong-token", "the token is not one of this node"),
    NO_SCOPE(403, "no-scope", "Not allowed", "the token is valid, and does not allow this"),
    CROSS_SITE(
            403,
            "cross-site",
            "Cross-site write",
            "a browser sends this write for a page of another origin than the one that its Host names"),
    READ_ONLY(403, "read-only", "Read-only", "the node is read-only: writes are refused, reads continue"),
    NOTHING_HERE(404, "unknown-path", "there is nothing at this path; see /openapi.yaml"),
    NOT_FOUND(404, "not-found", "the key has no value"),
    METHOD_NOT_ALLOWED_ENTITY(405, "method-not-allowed", "see Allow"),
    METHOD_NOT_ALLOWED_ENTITIES(405, "method-not-allowed", "see Allow"),
    METHOD_NOT_ALLOWED_BATCH(405, "method-not-allowed", "see Allow"),
    METHOD_NOT_ALLOWED_PROBE(405, "method-not-allowed", "see Allow"),
    REQUEST_TIMEOUT(408, "request-timeout", "the request did not arrive in time"),
    GONE(410, "gone", "the changes behind this version are no longer held: read the range again"),
    PRECONDITION_FAILED(412, "precondition-failed", "the key is not in the required state"),
    BODY_TOO_LARGE(413, "body-too-large", "the body is longer than the node takes"),
    LINE_TOO_LONG(414, "uri-too-long", "URI too long", "the request line is longer than the node takes"),
    KEY_TOO_LONG(414, "key-too-long", "the key is longer than the node takes"),
    UNSUPPORTED_MEDIA_TYPE(
            415, "unsupported-media-type", "a batch is sent with Content-Type: application/vnd.kvant.batch"),
    UNSUPPORTED_CODING(
            415,
            "unsupported-content-coding",
            "a value is stored and answered without Content-Encoding: send it as it is; nothing was written"),
    RANGE_NOT_SATISFIABLE(416, "range-not-satisfiable", "the value has none of the bytes of the range"),
    BAD_EXPECTATION(417, "expectation-failed", "the only known expectation is 100-continue"),
    MISDIRECTED(
            421,
            "misdirected",
            "Misdirected request",
            "this node serves IP addresses, localhost and the names of --allowed-hosts, and the request names another"
                    + " host"),
    TOO_MANY_REQUESTS(429, "too-many-requests", "the token has used up its rate; nothing was executed"),
    HEADERS_TOO_LARGE(
            431,
            "headers-too-large",
            "Request header fields too large",
            "the headers are longer or more than the node takes"),
    INTERNAL(500, "internal", "Internal error", "the node failed to carry out the request; see its log"),
    CORRUPTION(500, "corruption", "Stored bytes are damaged", "the value cannot be read"),
    IO(500, "io", "Storage failed", "the storage failed"),
    UNKNOWN_CODING(501, "unknown-transfer-coding", "the only known transfer coding is chunked"),
    UNSUPPORTED(501, "unsupported", "Not supported by this engine", "the engine of this node cannot do this"),
    OVERLOADED(503, "overloaded", "the node has as much work as it may hold; nothing was executed"),
    DEADLINE_PASSED(503, "deadline-passed", "the deadline passed before the request was begun; nothing was executed"),
    CLOSING(503, "closing", "the engine is closed"),
    WRITES_STOPPED(503, "writes-stopped", "the log cannot be written; a restart recovers"),
    REPLICAS_UNAVAILABLE(
            504, "replicas-unavailable", "Too few replicas", "too few replicas live; the request was not applied"),
    OUTCOME_UNKNOWN(504, "outcome-unknown", "the replicas did not answer in time; it may have been applied"),
    READ_TIMED_OUT(504, "read-timed-out", "the replicas did not answer in time"),
    BAD_VERSION(505, "http-version", "HTTP version not supported", "this node speaks HTTP/1.1 and HTTP/1.0"),
    STORAGE_FULL(507, "storage-full", "there is no room on the disk; reads continue");

    private static final String TYPE_PREFIX = "urn:kvant:problem:";
    public static final int NO_RETRY = 0;
    private static final int FIRST_FAILURE = 500;

    private final int status;
    private final String type;
    private final String title;
    private final String detail;

    /// @param type also its title, in other spelling
    Problem(int status, String type, String detail) {
        this(
                status,
                type,
                type.substring(0, 1).toUpperCase(Locale.ROOT)
                        + type.substring(1).replace('-', ' '),
                detail);
    }

    Problem(int status, String type, String title, String detail) {
        this.status = status;
        this.type = TYPE_PREFIX + type;
        this.title = title;
        this.detail = detail;
    }

    /// Whether the connection is closed, because its further bytes cannot be trusted or are not wanted.
    public boolean closes() {
        return switch (this) {
            case MALFORMED,
                    AMBIGUOUS_FRAMING,
                    BAD_HOST,
                    REQUEST_TIMEOUT,
                    BODY_TOO_LARGE,
                    LINE_TOO_LONG,
                    HEADERS_TOO_LARGE,
                    UNKNOWN_CODING,
                    BAD_VERSION -> true;
            default -> false;
        };
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
        return switch (this) {
            case METHOD_NOT_ALLOWED_ENTITY -> "GET, HEAD, PUT, DELETE";
            case METHOD_NOT_ALLOWED_ENTITIES -> "GET";
            case METHOD_NOT_ALLOWED_BATCH -> "POST";
            case METHOD_NOT_ALLOWED_PROBE -> "GET, HEAD";
            default -> "";
        };
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
        return switch (this) {
            case TOO_MANY_REQUESTS, OVERLOADED, DEADLINE_PASSED -> 1;
            default -> NO_RETRY;
        };
    }

    /// Whether an operator may look for this request in the node's log: the request failed, and a retry is not the
    /// whole remedy.
    public boolean isLookedInto() {
        return status >= FIRST_FAILURE && retryAfterSeconds() == NO_RETRY;
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
