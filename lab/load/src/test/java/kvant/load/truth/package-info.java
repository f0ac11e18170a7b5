/// A test server that behaves exactly as the test says, and the laws that its latencies follow.
@NullMarked
package kvant.load.truth;

import org.jspecify.annotations.NullMarked;
