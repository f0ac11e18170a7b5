/// Nodes by their executors, and in their first seconds.
@NullMarked
package kvant.bench.node;

import org.jspecify.annotations.NullMarked;
