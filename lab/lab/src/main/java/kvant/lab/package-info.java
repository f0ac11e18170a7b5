/// The latency laboratory: it measures any HTTP server, and does not depend on other parts of Kvant.
@NullMarked
package kvant.lab;

import org.jspecify.annotations.NullMarked;
