/// Runs the benchmarks that are written for JMH.
@NullMarked
package kvant.bench.jmh;

import org.jspecify.annotations.NullMarked;
