/// Processes of benchmarks: nodes of Kvant, their load, other programs; all with time limits, and ended with the
/// benchmark.
@NullMarked
package kvant.bench.process;

import org.jspecify.annotations.NullMarked;
