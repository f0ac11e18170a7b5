package kvant.server.http.contract;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import kvant.server.access.Scope;
import org.jspecify.annotations.Nullable;

/// The paths of the contract, and which methods each of them knows.
public enum Route {
    /// Also with a key behind it, as in `/v0/entity/KEY`.
    ENTITY("/v0/entity", Problem.METHOD_NOT_ALLOWED_ENTITY),
    ENTITIES("/v0/entities", Problem.METHOD_NOT_ALLOWED_ENTITIES),
    BATCH("/v0/batch", Problem.METHOD_NOT_ALLOWED_BATCH),
    CHANGES("/v0/changes", Problem.METHOD_NOT_ALLOWED_ENTITIES),
    STATUS("/v0/status", Problem.METHOD_NOT_ALLOWED_PROBE),
    READ_ONLY("/v0/read-only", Problem.METHOD_NOT_ALLOWED_ENTITY),
    LIVEZ("/livez", Problem.METHOD_NOT_ALLOWED_PROBE),
    READYZ("/readyz", Problem.METHOD_NOT_ALLOWED_PROBE),
    METRICS("/metrics", Problem.METHOD_NOT_ALLOWED_PROBE),
    SLOW("/debug/slow", Problem.METHOD_NOT_ALLOWED_PROBE),
    UI("/ui", Problem.METHOD_NOT_ALLOWED_PROBE),
    UI_SLOW("/ui/slow", Problem.METHOD_NOT_ALLOWED_PROBE),
    UI_HISTORY("/ui/history", Problem.METHOD_NOT_ALLOWED_PROBE),
    OPEN_API("/openapi.yaml", Problem.METHOD_NOT_ALLOWED_PROBE);

    private static final Route[] ALL = values();

    private final String name;
    private final byte[] path;
    private final Problem otherMethod;
    private final Set<Method> methods = EnumSet.noneOf(Method.class);

    Route(String path, Problem otherMethod) {
        this.name = path;
        this.path = path.getBytes(StandardCharsets.US_ASCII);
        this.otherMethod = otherMethod;
        for (String known : otherMethod.allow().split(", ")) {
            methods.add(Method.valueOf(known));
        }
    }

    /// Keys and values, and whether the node lives.
    public static Set<Route> data() {
        return EnumSet.of(ENTITY, ENTITIES, BATCH, CHANGES, STATUS, LIVEZ, READYZ, OPEN_API);
    }

    /// The routes for administration.
    ///
    /// @param slowPage whether there is `/debug/slow`, which shows keys
    public static Set<Route> administrative(boolean slowPage) {
        Set<Route> always = EnumSet.of(METRICS, READ_ONLY, STATUS, LIVEZ, READYZ);
        return slowPage ? union(always, EnumSet.of(SLOW)) : always;
    }

    /// The routes of the live page, and those that it needs besides the figures of the node.
    ///
    /// @param keys whether it has a key browser
    public static Set<Route> livePage(boolean keys) {
        return keys ? EnumSet.of(UI, UI_SLOW, UI_HISTORY, ENTITY, ENTITIES) : EnumSet.of(UI, UI_SLOW, UI_HISTORY);
    }

    /// The routes of a port that serves data and administration.
    public static Set<Route> all(boolean slowPage) {
        return union(data(), administrative(slowPage));
    }

    /// The union of both sets.
    public static Set<Route> union(Set<Route> some, Set<Route> others) {
        Set<Route> all = EnumSet.copyOf(some);
        all.addAll(others);
        return Collections.unmodifiableSet(all);
    }

    /// The path, without a key.
    public String path() {
        return name;
    }

    /// The scope that a token needs; null for public routes: a liveness probe has no token.
    public @Nullable Scope scope(Method method) {
        return switch (this) {
            case ENTITY -> method == Method.GET || method == Method.HEAD ? Scope.READ : Scope.WRITE;
            case ENTITIES, CHANGES -> Scope.READ;
            case BATCH -> Scope.WRITE;
            case METRICS, READ_ONLY, SLOW, UI_SLOW, UI_HISTORY -> Scope.ADMIN;
            case STATUS, LIVEZ, READYZ, OPEN_API, UI -> null; // the page itself: its requests need a token
        };
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
        return methods.contains(method) ? null : otherMethod;
    }
}
