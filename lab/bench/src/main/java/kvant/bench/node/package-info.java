/// The start-up performance of nodes.
@NullMarked
package kvant.bench.node;

import org.jspecify.annotations.NullMarked;
