/// The effect of a picker on a workload over time, without a disk: the picker is real, tables are arrays of numbers.
@NullMarked
package kvant.bench.simulation;

import org.jspecify.annotations.NullMarked;
