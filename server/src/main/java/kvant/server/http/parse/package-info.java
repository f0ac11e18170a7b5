/// Bytes to requests: framing, heads, targets, headers and bodies, checked by RFC 9110 and RFC 9112.
///
/// Knows buffers, and neither channels nor connections: requests go to a [kvant.server.http.parse.RequestSink].
@NullMarked
package kvant.server.http.parse;

import org.jspecify.annotations.NullMarked;
