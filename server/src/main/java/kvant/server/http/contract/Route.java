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
    SLOW("/debug/slow", Problem.METHOD_NOT_ALLOWED_PROBE),
    OPEN_API("/openapi.yaml", Problem.METHOD_NOT_ALLOWED_PROBE);

    /// What is below it is the contract's, whose clients expect 400 for a path that is not there.
    private static final byte[] CONTRACT = "/v0".getBytes(StandardCharsets.US_ASCII);

    private static final Route[] ALL = values();

    private final String text;
    private final byte[] path;
    private final Problem otherMethod;

    Route(String path, Problem otherMethod) {
        this.text = path;
        this.path = path.getBytes(StandardCharsets.US_ASCII);
        this.otherMethod = otherMethod;
    }

    public String path() {
        return text;
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

    /// Whether a path where nothing is lies among those of the contract.
    public static boolean isOfContract(ByteBuf in, int from, int to) {
        int end = from + CONTRACT.length;
        boolean below = end <= to && Bytes.equals(in, from, end, CONTRACT);
        return below && (end == to || in.getByte(end) == '/') || to == from + 1 && in.getByte(from) == '*';
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
            case STATUS, LIVEZ, READYZ, METRICS, SLOW, OPEN_API -> method == Method.GET || method == Method.HEAD;
        };
        return known ? null : otherMethod;
    }
}
