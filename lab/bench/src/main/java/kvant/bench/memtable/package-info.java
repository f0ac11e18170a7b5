/// JMH benchmarks of the memtables against each other.
@NullMarked
package kvant.bench.memtable;

import org.jspecify.annotations.NullMarked;
