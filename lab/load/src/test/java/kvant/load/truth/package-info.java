/// A test server that behaves exactly as told, and the laws that its latencies follow.
@NullMarked
package kvant.load.truth;

import org.jspecify.annotations.NullMarked;
