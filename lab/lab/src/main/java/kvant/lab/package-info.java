/// The latency laboratory: it measures any HTTP server, and knows no other part of Kvant.
@NullMarked
package kvant.lab;

import org.jspecify.annotations.NullMarked;
