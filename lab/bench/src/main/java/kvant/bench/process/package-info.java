/// What benchmarks start: nodes of Kvant, load on them, other programs; all bounded in time and ended with the
/// benchmark.
@NullMarked
package kvant.bench.process;

import org.jspecify.annotations.NullMarked;
