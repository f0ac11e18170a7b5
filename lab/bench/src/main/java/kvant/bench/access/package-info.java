/// JMH benchmarks of the ways to read a block that is in memory, and never to wait for one that is not.
@NullMarked
package kvant.bench.access;

import org.jspecify.annotations.NullMarked;
