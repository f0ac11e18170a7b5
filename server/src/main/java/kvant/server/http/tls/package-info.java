/// TLS before a connection: certificates from files, handshakes, and the orderly end of both directions.
///
/// Knows neither requests nor connections.
@NullMarked
package kvant.server.http.tls;

import org.jspecify.annotations.NullMarked;
