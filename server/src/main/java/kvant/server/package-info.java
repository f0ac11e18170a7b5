/// The node: engine, service and HTTP put together. The only place that sees both sides.
@NullMarked
package kvant.server;

import org.jspecify.annotations.NullMarked;
