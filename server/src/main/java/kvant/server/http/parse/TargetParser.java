package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.function.IntSupplier;
import kvant.engine.Mutation;
import kvant.server.http.contract.Bytes;
import kvant.server.http.contract.Exposure;
import kvant.server.http.contract.Method;
import kvant.server.http.contract.Problem;
import kvant.server.http.contract.Route;
import kvant.server.request.Request;
import org.jspecify.annotations.Nullable;

/// A parser of request targets (RFC 9112, section 3.2) into a [RequestHead]: path and query, percent-decoded from the
/// buffer straight into the keys. A `+` is a plus everywhere; a `/` in a key need not be encoded.
///
/// A wrong path or parameter is a refusal in the head: the request is answered, and the connection continues.
public final class TargetParser {

    private static final byte[] HTTP = ascii("http://");
    private static final byte[] HTTPS = ascii("https://");

    /// The parameters that mean something on a route.
    private enum Parameter {
        ID("id", Route.ENTITY),
        ACK("ack", Route.ENTITY),
        FROM("from", Route.ENTITY),
        REPLICAS("replicas", Route.ENTITY),
        /// Of a put.
        TTL("ttl", Route.ENTITY),
        START("start", Route.ENTITIES),
        END("end", Route.ENTITIES),
        PREFIX("prefix", Route.ENTITIES),
        ORDER("order", Route.ENTITIES),
        LIMIT("limit", Route.ENTITIES),
        VERSION("from", Route.CHANGES),
        WAIT("wait", Route.CHANGES),
        FORMAT("format", Route.CHANGES),
        VERBOSE("verbose", Route.READYZ);

        private static final Parameter[][] BY_ROUTE = Arrays.stream(Route.values())
                .map(route -> Arrays.stream(values())
                        .filter(each -> each.route == route)
                        .toArray(Parameter[]::new))
                .toArray(Parameter[][]::new);

        private final byte[] word;
        private final Route route;

        /// For sets of seen parameters.
        private final int bit = 1 << ordinal();

        Parameter(String word, Route route) {
            this.word = ascii(word);
            this.route = route;
        }

        /// @return null where it means nothing on this route
        static @Nullable Parameter of(ByteBuf in, int name, int end, Route route, Method method) {
            for (Parameter each : BY_ROUTE[route.ordinal()]) {
                if (Bytes.equals(in, name, end, each.word)) {
                    return each == TTL && method != Method.PUT ? null : each;
                }
            }
            return null;
        }
    }

    private static final byte[] KEY_ORDER = ascii("key");
    private static final byte[] NO_ORDER = ascii("none");
    private static final byte[] NOW = ascii("now");
    private static final byte[] NDJSON = ascii("ndjson");
    private static final byte[] EVENTS = ascii("sse");

    private static final long MAX_WAIT_SECONDS = 3600;

    private static final long UNSET = -2;

    // Constant.
    private final int maxKeyBytes;
    private final IntSupplier replicas;
    private final Set<Route> routes;
    private final Problem nothingHere;
    private final HeadChecks checks;

    // Of the target being read.
    private int seen;
    private long ack;
    private long from;

    /// @param replicas how many the engine has; asked where a request names them
    public TargetParser(int maxKeyBytes, IntSupplier replicas, Exposure exposure) {
        this.maxKeyBytes = maxKeyBytes;
        this.replicas = replicas;
        this.routes = exposure.routes();
        this.nothingHere = exposure.strictPaths() ? Problem.UNKNOWN_PATH : Problem.NOTHING_HERE;
        this.checks = new HeadChecks(
                new HostCheck(exposure.hosts()),
                new TokenCheck(exposure.access().tokens()),
                new CrossSite(exposure.cors()));
    }

    /// The checks of the headers that identify sender and addressee.
    HeadChecks checks() {
        return checks;
    }

    /// @return false when this is no request target at all
    boolean parse(ByteBuf in, int start, int stop, RequestHead head) {
        if (!Bytes.isTarget(in, start, stop)) {
            return false;
        }
        int path = pathOf(in, start, stop, head);
        if (path < 0) {
            return false;
        }
        int mark = Bytes.find(in, path, stop, (byte) '?');
        Route route = Route.of(in, path, mark);
        boolean isRoot = mark == path + 1 && in.getByte(path) == '/';
        if (route == null && isRoot && (head.method == Method.GET || head.method == Method.HEAD)) {
            route = Route.UI;
            head.otherwise = nothingHere;
        }
        head.route = route;
        if (route == null || !routes.contains(route)) {
            head.refuse(nothingHere);
            return true;
        }
        Problem otherMethod = route.refusal(head.method);
        if (otherMethod != null) {
            head.refuse(otherMethod);
            return true;
        }
        seen = 0;
        ack = UNSET;
        from = UNSET;
        int key = route == Route.ENTITY ? Route.keyOf(in, path, mark) : -1;
        if (key >= 0) {
            seen = Parameter.ID.bit;
            head.key = key(in, key, mark, head);
        }
        parseQuery(in, mark + 1, stop, head, route);
        return true;
    }

    /// @return where the path starts, `stop` where it is empty, or a negative number
    private int pathOf(ByteBuf in, int start, int stop, RequestHead head) {
        byte first = in.getByte(start);
        if (first == '/' || first == '*' && stop == start + 1) {
            return start;
        }
        int authority = start + schemeLength(in, start, stop);
        if (authority == start) {
            return -1;
        }
        int query = Bytes.find(in, authority, stop, (byte) '?');
        int slash = Bytes.find(in, authority, query, (byte) '/');
        return slash > authority && checks.hosts().check(in, authority, slash, head) == null ? slash : -1;
    }

    private static int schemeLength(ByteBuf in, int start, int stop) {
        for (byte[] scheme : new byte[][] {HTTP, HTTPS}) {
            int end = start + scheme.length;
            if (end <= stop && Bytes.equalsIgnoreCase(in, start, end, scheme)) {
                return scheme.length;
            }
        }
        return 0;
    }

    private void parseQuery(ByteBuf in, int start, int stop, RequestHead head, Route route) {
        int at = start;
        while (at < stop) {
            int next = Bytes.find(in, at, stop, (byte) '&');
            int equals = Bytes.find(in, at, next, (byte) '=');
            parameter(in, at, equals, Math.min(equals + 1, next), next, head, route);
            at = next + 1;
        }
        if ((route == Route.ENTITY || route == Route.ENTITIES) && isEmpty(head.key)) {
            head.refuse(Problem.MISSING_KEY);
        }
        if (head.prefix && (isSeen(Parameter.START) || isSeen(Parameter.END))) {
            head.refuse(Problem.BAD_PREFIX);
        }
        if (route == Route.ENTITY) {
            if (areReplicasValid()) {
                head.acks = ack == UNSET ? RequestHead.USUAL_ACKS : (int) ack;
            } else {
                head.refuse(Problem.BAD_REPLICAS);
            }
        }
    }

    /// Reads a parameter. Those without a meaning are ignored.
    private void parameter(ByteBuf in, int name, int nameEnd, int value, int valueEnd, RequestHead head, Route route) {
        Parameter parameter = Parameter.of(in, name, nameEnd, route, head.method);
        if (parameter == null) {
            return;
        }
        if (isSeen(parameter)) {
            head.refuse(Problem.DUPLICATE_PARAMETER);
            return;
        }
        seen |= parameter.bit;
        switch (parameter) {
            case ID, START -> head.key = key(in, value, valueEnd, head);
            case PREFIX -> {
                head.key = key(in, value, valueEnd, head);
                head.prefix = true;
            }
            case END -> {
                byte[] end = key(in, value, valueEnd, head);
                head.end = isEmpty(end) ? null : end; // an empty end means no end
            }
            case LIMIT -> head.limit = number(in, value, valueEnd, 1, Long.MAX_VALUE, head, Problem.BAD_LIMIT);
            case ORDER -> head.ordered = isFirst(in, value, valueEnd, KEY_ORDER, NO_ORDER, head, Problem.BAD_ORDER);
            case TTL ->
                head.ttlSeconds = number(in, value, valueEnd, 1, Mutation.Put.MAX_LIFE_SECONDS, head, Problem.BAD_TTL);
            case ACK -> ack = Bytes.decimal(in, value, valueEnd);
            case FROM -> from = Bytes.decimal(in, value, valueEnd);
            case REPLICAS -> {
                int slash = Bytes.find(in, value, valueEnd, (byte) '/');
                ack = Bytes.decimal(in, value, slash);
                from = Bytes.decimal(in, slash + 1, valueEnd);
            }
            case VERBOSE -> head.verbose = true;
            case VERSION -> version(in, value, valueEnd, head);
            case WAIT -> head.waitSeconds = number(in, value, valueEnd, 0, MAX_WAIT_SECONDS, head, Problem.BAD_WAIT);
            case FORMAT ->
                head.format = isFirst(in, value, valueEnd, EVENTS, NDJSON, head, Problem.BAD_FORMAT)
                        ? RequestHead.Format.EVENTS
                        : RequestHead.Format.NDJSON;
        }
    }

    private static void version(ByteBuf in, int value, int end, RequestHead head) {
        boolean now = Bytes.equals(in, value, end, NOW);
        head.from = now ? Request.Changes.NOW : Bytes.decimal(in, value, end);
        if (!now && head.from == Bytes.NOT_A_NUMBER) {
            head.refuse(Problem.BAD_FROM);
        }
    }

    /// Whether the value is the first of two words; any other than these is refused.
    private static boolean isFirst(
            ByteBuf in, int value, int end, byte[] first, byte[] second, RequestHead head, Problem otherwise) {
        boolean is = Bytes.equals(in, value, end, first);
        if (!is && !Bytes.equals(in, value, end, second)) {
            head.refuse(otherwise);
        }
        return is;
    }

    private boolean isSeen(Parameter parameter) {
        return (seen & parameter.bit) != 0;
    }

    private byte @Nullable [] key(ByteBuf in, int value, int end, RequestHead head) {
        byte[] key = Bytes.percentDecode(in, value, end);
        if (key == null) {
            head.refuse(Problem.BAD_ENCODING);
        } else if (key.length > maxKeyBytes) {
            head.refuse(Problem.KEY_TOO_LONG);
        }
        return key;
    }

    private static long number(
            ByteBuf in, int value, int end, long least, long most, RequestHead head, Problem otherwise) {
        long number = Bytes.decimal(in, value, end);
        if (number < least || number > most) {
            head.refuse(otherwise);
        }
        return number;
    }

    /// Either of the two may be missing; `replicas` excludes both.
    private boolean areReplicasValid() {
        if (ack == UNSET && from == UNSET) {
            return true;
        }
        if (isSeen(Parameter.REPLICAS) && (isSeen(Parameter.ACK) || isSeen(Parameter.FROM))) {
            return false;
        }
        int there = replicas.getAsInt();
        long total = from == UNSET ? there : from;
        long needed = ack == UNSET ? 1 : ack;
        return needed >= 1 && needed <= total && total == there;
    }

    private static boolean isEmpty(byte @Nullable [] key) {
        return key == null || key.length == 0;
    }

    private static byte[] ascii(String word) {
        return word.getBytes(StandardCharsets.US_ASCII);
    }

    /// The checks of the headers that identify sender and addressee. Owned by one event loop.
    record HeadChecks(HostCheck hosts, TokenCheck tokens, CrossSite origins) {}
}
