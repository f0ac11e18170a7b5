/// HTTP/1.1 over Netty: the listening socket, its event loops, and their connections.
///
/// With [kvant.server.http.parse] and [kvant.server.http.answer] the only importer of Netty; none of them knows an
/// engine. Every type but the few public ones belongs to one event loop at a time; there are no locks here.
@NullMarked
package kvant.server.http;

import org.jspecify.annotations.NullMarked;
