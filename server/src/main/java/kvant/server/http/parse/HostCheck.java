package kvant.server.http.parse;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import kvant.server.http.contract.Authority;
import kvant.server.http.contract.Bytes;
import kvant.server.http.contract.Problem;
import kvant.server.http.contract.ServedHosts;
import org.jspecify.annotations.Nullable;

/// The check of the host that a request names, in `Host` or in its target.
///
/// It remembers the last few accepted ones, as bytes: clients name the same one again and again, which then costs a
/// comparison and allocates nothing. Owned by one event loop.
final class HostCheck {

    private static final int REMEMBERED = 4;

    private record Known(byte[] bytes, Authority authority) {}

    // Constant.
    private final ServedHosts served;

    // Owned by the event loop.
    private final @Nullable Known[] known = new @Nullable Known[REMEMBERED];
    private int oldest;

    HostCheck(ServedHosts served) {
        this.served = served;
    }

    /// @return why nothing on this connection can be trusted any more, or null
    @Nullable
    Problem check(ByteBuf in, int from, int to, RequestHead head) {
        Authority authority = remembered(in, from, to);
        if (authority == null) {
            authority = to - from > Authority.MAX_LENGTH
                    ? null
                    : Authority.parse(in.toString(from, to - from, StandardCharsets.ISO_8859_1));
            if (authority == null) {
                return Problem.BAD_HOST;
            }
            if (served.serves(authority)) {
                remember(in, from, to, authority);
            } else {
                head.misdirected = true;
            }
        }
        if (head.host == null) { // that of the target comes first, and wins (RFC 9112, section 3.2.2)
            head.host = authority;
        }
        return null;
    }

    private @Nullable Authority remembered(ByteBuf in, int from, int to) {
        for (Known each : known) {
            if (each != null && Bytes.equals(in, from, to, each.bytes)) {
                return each.authority;
            }
        }
        return null;
    }

    private void remember(ByteBuf in, int from, int to, Authority authority) {
        byte[] bytes = new byte[to - from];
        in.getBytes(from, bytes);
        known[oldest] = new Known(bytes, authority);
        oldest = (oldest + 1) % REMEMBERED;
    }
}
