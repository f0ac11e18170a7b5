/// A node and its memory: gets beside reads that miss the page cache, and idle connections.
@NullMarked
package kvant.bench.node;

import org.jspecify.annotations.NullMarked;
