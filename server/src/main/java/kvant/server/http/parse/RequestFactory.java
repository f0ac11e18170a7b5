package kvant.server.http.parse;

import kvant.server.http.contract.Method;
import kvant.server.http.contract.Route;
import kvant.server.request.Request;
import kvant.server.service.NodePages;

/// What a sound head and its body ask for.
final class RequestFactory {

    static final byte[] NO_BODY = {};

    private RequestFactory() {}

    static Request of(RequestHead head, byte[] body, NodePages pages) {
        Route route = head.route;
        if (route == null) {
            throw new IllegalStateException("a request without a route is refused before");
        }
        if (head.preflight) {
            return Request.Probe.PREFLIGHT;
        }
        return switch (route) {
            case ENTITY -> entity(head, key(head), body);
            case ENTITIES ->
                (head.prefix
                                ? Request.Scan.ofPrefix(key(head), head.limit)
                                : Request.Scan.between(key(head), head.end, head.limit))
                        .ordered(head.ordered);
            case CHANGES -> new Request.Changes(head.from, head.waitSeconds, head.isForEvents());
            case BATCH -> new Request.Batch(body);
            case LIVEZ -> Request.Probe.ALIVE;
            case READYZ -> Request.Probe.READY;
            case METRICS -> new Request.Page(pages.metrics(), head.accept);
            case STATUS -> new Request.Page(pages.status(), "");
            case READ_ONLY -> readOnly(head.method);
            case OPEN_API -> new Request.Page(pages.openApi(), "");
            case SLOW -> new Request.Page(pages.slow(), head.accept);
            case UI -> new Request.Page(pages.live(), "");
            case UI_SLOW -> new Request.Page(pages.liveSlow(), "");
        };
    }

    private static Request entity(RequestHead head, byte[] key, byte[] body) {
        return switch (head.method) {
            case GET, HEAD -> new Request.Get(key, head.precondition(), head.acks, head.method == Method.HEAD);
            case PUT -> new Request.Put(key, body, head.ttlSeconds, head.precondition(), head.acks);
            case DELETE -> new Request.Delete(key, head.precondition(), head.acks);
            case POST, OPTIONS, OTHER -> throw new IllegalStateException("another method is refused before");
        };
    }

    private static Request readOnly(Method method) {
        return switch (method) {
            case GET, HEAD -> Request.ReadOnly.ASK;
            case PUT -> Request.ReadOnly.BEGIN;
            case DELETE -> Request.ReadOnly.END;
            case POST, OPTIONS, OTHER -> throw new IllegalStateException("another method is refused before");
        };
    }

    private static byte[] key(RequestHead head) {
        byte[] key = head.key;
        if (key == null) {
            throw new IllegalStateException("a request without a key is refused before");
        }
        return key;
    }
}
