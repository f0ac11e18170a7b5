/// HTTP/1.1 over Netty: bytes to [kvant.server.service.Request], [kvant.server.service.Outcome] to bytes.
///
/// The only importer of Netty. Knows no engine. Every type but the few public ones belongs to one event
/// loop at a time; there are no locks here.
@NullMarked
package kvant.server.http;

import org.jspecify.annotations.NullMarked;
