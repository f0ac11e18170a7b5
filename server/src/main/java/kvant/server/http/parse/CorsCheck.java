package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import kvant.server.http.contract.CorsOrigins;
import kvant.server.http.contract.Method;
import kvant.server.http.contract.Problem;
import kvant.server.http.contract.Route;
import org.jspecify.annotations.Nullable;

/// The CORS check: does a request come from a page of an allowed origin, and is it a preflight, the browser's
/// question before such a request? Owned by one event loop.
final class CorsCheck {

    // Constant.
    private final CorsOrigins origins;

    CorsCheck(CorsOrigins origins) {
        this.origins = origins;
    }

    /// Reads the header `Origin` where it matters. A second one makes the origin a foreign one.
    void origin(ByteBuf in, int from, int to, RequestHead head) {
        if (!head.isWrite() && !origins.areAny()) {
            return;
        }
        if (head.origin != null || to - from > CrossSite.MAX_ORIGIN_LENGTH) {
            head.foreignOrigin = true;
        } else {
            head.origin = in.toString(from, to - from, StandardCharsets.ISO_8859_1);
        }
    }

    /// Applies the check to a head before it is concluded.
    void judge(RequestHead head) {
        if (!origins.areAny()) {
            return;
        }
        byte[] lines = head.origin == null || head.foreignOrigin || head.misdirected || !isOfData(head.route)
                ? null
                : origins.linesFor(head.origin);
        head.allowedOrigin = lines != null;
        head.corsLines = lines == null ? origins.linesForOthers() : lines;
        boolean asksFirst = head.method == Method.OPTIONS && head.requestedMethod && head.allowedOrigin;
        Problem unknownMethod = head.route == null ? null : head.route.refusal(head.method);
        if (asksFirst && head.refusal == unknownMethod) {
            head.preflight = true;
            head.refusal = null;
        }
    }

    private static boolean isOfData(@Nullable Route route) {
        return route != null && Route.data().contains(route);
    }
}
