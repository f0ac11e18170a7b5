package kvant.server.http.contract;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The paths of the contract, and which methods each of them knows.
public enum Route {
    /// Also with a key behind it, as in `/v0/entity/KEY`.
    ENTITY("/v0/entity", Problem.METHOD_NOT_ALLOWED_ENTITY),
    ENTITIES("/v0/entities", Problem.METHOD_NOT_ALLOWED_ENTITIES),
    BATCH("/v0/batch", Problem.METHOD_NOT_ALLOWED_BATCH),
    STATUS("/v0/status", Problem.METHOD_NOT_ALLOWED_PROBE),
    LIVEZ("/livez", Problem.METHOD_NOT_ALLOWED_PROBE),
    READYZ("/readyz", Problem.METHOD_NOT_ALLOWED_PROBE),
    METRICS("/metrics", Problem.METHOD_NOT_ALLOWED_PROBE),
    SLOW("/debug/slow", Problem.METHOD_NOT_ALLOWED_PROBE);

    private static final Route[] ALL = values();

    private final byte[] path;
    private final Problem otherMethod;

    Route(String path, Problem otherMethod) {
        this.path = path.getBytes(StandardCharsets.US_ASCII);
        this.otherMethod = otherMethod;
    }

    /// @return null where the contract knows no such path
    public static @Nullable Route of(ByteBuf in, int from, int to) {
        for (Route route : ALL) {
            if (Bytes.equals(in, from, to, route.path)) {
                return route;
            }
        }
        return keyOf(in, from, to) < 0 ? null : ENTITY;
    }

    /// @return where the key of an entity begins in a path that has one, even if it is empty, or a negative number
    public static int keyOf(ByteBuf in, int from, int to) {
        int key = from + ENTITY.path.length + 1;
        boolean has = key <= to && in.getByte(key - 1) == '/' && Bytes.equals(in, from, key - 1, ENTITY.path);
        return has ? key : -1;
    }

    /// @return null when the method is known here
    public @Nullable Problem refusal(Method method) {
        boolean known = switch (this) {
            case ENTITY -> method != Method.OTHER && method != Method.POST;
            case ENTITIES -> method == Method.GET;
            case BATCH -> method == Method.POST;
            case STATUS, LIVEZ, READYZ, METRICS, SLOW -> method == Method.GET || method == Method.HEAD;
        };
        return known ? null : otherMethod;
    }
}
