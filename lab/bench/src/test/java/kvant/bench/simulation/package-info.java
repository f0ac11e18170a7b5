/// What a picker does to a workload over time, without a disk: the picker is the real one, tables are arrays of
/// numbers.
@NullMarked
package kvant.bench.simulation;

import org.jspecify.annotations.NullMarked;
