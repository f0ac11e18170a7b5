package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
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

/// Reads a request target (RFC 9112, section 3.2) into a [RequestHead]: path and query, percent-decoded
/// from the buffer straight into the keys. A `+` is a plus everywhere; a `/` in a key need not be encoded.
///
/// What is wrong with a path or a parameter is a refusal in the head: the request is answered, the
/// connection goes on.
public final class TargetParser {

    private static final byte[] HTTP = ascii("http://");
    private static final byte[] HTTPS = ascii("https://");

    /// Bits for parameters that were seen.
    private static final int ID = 1;

    private static final int START = 1 << 1;
    private static final int END = 1 << 2;
    private static final int LIMIT = 1 << 3;
    private static final int TTL = 1 << 4;
    private static final int ACK = 1 << 5;
    private static final int FROM = 1 << 6;
    private static final int REPLICAS = 1 << 7;
    private static final int VERBOSE = 1 << 8;
    private static final int PREFIX = 1 << 9;
    private static final int ORDER = 1 << 10;
    private static final int VERSION = 1 << 11;
    private static final int WAIT = 1 << 12;
    private static final int FORMAT = 1 << 13;

    private static final byte[] ID_NAME = ascii("id");
    private static final byte[] START_NAME = ascii("start");
    private static final byte[] END_NAME = ascii("end");
    private static final byte[] LIMIT_NAME = ascii("limit");
    private static final byte[] TTL_NAME = ascii("ttl");
    private static final byte[] ACK_NAME = ascii("ack");
    private static final byte[] FROM_NAME = ascii("from");
    private static final byte[] REPLICAS_NAME = ascii("replicas");
    private static final byte[] VERBOSE_NAME = ascii("verbose");
    private static final byte[] PREFIX_NAME = ascii("prefix");
    private static final byte[] ORDER_NAME = ascii("order");
    private static final byte[] KEY_ORDER = ascii("key");
    private static final byte[] NO_ORDER = ascii("none");
    private static final byte[] WAIT_NAME = ascii("wait");
    private static final byte[] FORMAT_NAME = ascii("format");
    private static final byte[] NOW = ascii("now");
    private static final byte[] NDJSON = ascii("ndjson");
    private static final byte[] EVENTS = ascii("sse");

    private static final long MAX_WAIT_SECONDS = 3600;

    private static final long UNSET = -2;

    // Constant.
    private final int maxKeyBytes;
    private final IntSupplier replicas;
    private final Set<Route> routes;
    private final boolean strictPaths;
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
        this.strictPaths = exposure.strictPaths();
        this.checks = new HeadChecks(
                new HostCheck(exposure.hosts()),
                new TokenCheck(exposure.access().tokens()),
                new CorsCheck(exposure.cors()));
    }

    /// What judges the headers that say who sends a request, and to whom.
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
        head.route = route;
        if (route == null || !routes.contains(route)) {
            head.refuse(strictPaths ? Problem.UNKNOWN_PATH : Problem.NOTHING_HERE);
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
            seen = ID;
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
        if (head.prefix && (seen & (START | END)) != 0) {
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

    private void parameter(ByteBuf in, int name, int nameEnd, int value, int valueEnd, RequestHead head, Route route) {
        int parameter = parameterOf(in, name, nameEnd, route, head.method);
        if ((seen & parameter) != 0) {
            head.refuse(Problem.DUPLICATE_PARAMETER);
            return;
        }
        seen |= parameter;
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
            case LIMIT -> head.limit = positive(in, value, valueEnd, head, Problem.BAD_LIMIT);
            case ORDER -> {
                head.ordered = !Bytes.equals(in, value, valueEnd, NO_ORDER);
                if (head.ordered && !Bytes.equals(in, value, valueEnd, KEY_ORDER)) {
                    head.refuse(Problem.BAD_ORDER);
                }
            }
            case TTL -> head.ttlSeconds = lifeTime(in, value, valueEnd, head);
            case ACK -> ack = Bytes.decimal(in, value, valueEnd);
            case FROM -> from = Bytes.decimal(in, value, valueEnd);
            case REPLICAS -> {
                int slash = Bytes.find(in, value, valueEnd, (byte) '/');
                ack = Bytes.decimal(in, value, slash);
                from = Bytes.decimal(in, slash + 1, valueEnd);
            }
            case VERBOSE -> head.verbose = true;
            case VERSION, WAIT, FORMAT -> ofChanges(parameter, in, value, valueEnd, head);
            default -> {} // unknown parameters are ignored
        }
    }

    private static long lifeTime(ByteBuf in, int from, int to, RequestHead head) {
        long seconds = positive(in, from, to, head, Problem.BAD_TTL);
        if (seconds > Mutation.Put.MAX_LIFE_SECONDS) {
            head.refuse(Problem.BAD_TTL);
        }
        return seconds;
    }

    private static int parameterOfChanges(ByteBuf in, int name, int end) {
        if (Bytes.equals(in, name, end, FROM_NAME)) {
            return VERSION;
        } else if (Bytes.equals(in, name, end, WAIT_NAME)) {
            return WAIT;
        }
        return Bytes.equals(in, name, end, FORMAT_NAME) ? FORMAT : 0;
    }

    private static void ofChanges(int parameter, ByteBuf in, int value, int end, RequestHead head) {
        switch (parameter) {
            case VERSION -> {
                boolean now = Bytes.equals(in, value, end, NOW);
                head.from = now ? Request.Changes.NOW : Bytes.decimal(in, value, end);
                if (!now && head.from == Bytes.NOT_A_NUMBER) {
                    head.refuse(Problem.BAD_FROM);
                }
            }
            case WAIT -> {
                head.waitSeconds = Bytes.decimal(in, value, end);
                if (head.waitSeconds < 0 || head.waitSeconds > MAX_WAIT_SECONDS) {
                    head.refuse(Problem.BAD_WAIT);
                }
            }
            default -> {
                boolean events = Bytes.equals(in, value, end, EVENTS);
                head.format = events ? RequestHead.Format.EVENTS : RequestHead.Format.NDJSON;
                if (!events && !Bytes.equals(in, value, end, NDJSON)) {
                    head.refuse(Problem.BAD_FORMAT);
                }
            }
        }
    }

    /// @return bit of a parameter that means something on this route, or 0
    private static int parameterOf(ByteBuf in, int name, int end, Route route, Method method) {
        return switch (route) {
            case ENTITY -> {
                if (Bytes.equals(in, name, end, ID_NAME)) {
                    yield ID;
                } else if (Bytes.equals(in, name, end, ACK_NAME)) {
                    yield ACK;
                } else if (Bytes.equals(in, name, end, FROM_NAME)) {
                    yield FROM;
                } else if (Bytes.equals(in, name, end, REPLICAS_NAME)) {
                    yield REPLICAS;
                } else {
                    yield method == Method.PUT && Bytes.equals(in, name, end, TTL_NAME) ? TTL : 0;
                }
            }
            case ENTITIES -> {
                if (Bytes.equals(in, name, end, START_NAME)) {
                    yield START;
                } else if (Bytes.equals(in, name, end, END_NAME)) {
                    yield END;
                } else if (Bytes.equals(in, name, end, PREFIX_NAME)) {
                    yield PREFIX;
                } else if (Bytes.equals(in, name, end, ORDER_NAME)) {
                    yield ORDER;
                } else {
                    yield Bytes.equals(in, name, end, LIMIT_NAME) ? LIMIT : 0;
                }
            }
            case CHANGES -> parameterOfChanges(in, name, end);
            case READYZ -> Bytes.equals(in, name, end, VERBOSE_NAME) ? VERBOSE : 0;
            case BATCH, STATUS, READ_ONLY, LIVEZ, METRICS, SLOW, UI, UI_SLOW, OPEN_API -> 0;
        };
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

    private static long positive(ByteBuf in, int value, int end, RequestHead head, Problem otherwise) {
        long number = Bytes.decimal(in, value, end);
        if (number <= 0) {
            head.refuse(otherwise);
        }
        return number;
    }

    /// Either of the two may be missing; `replicas` excludes both.
    private boolean areReplicasValid() {
        if (ack == UNSET && from == UNSET) {
            return true;
        }
        if ((seen & REPLICAS) != 0 && (seen & (ACK | FROM)) != 0) {
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
}
