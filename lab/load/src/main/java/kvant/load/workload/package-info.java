/// Workloads: the mix of operations, keys, values.
@NullMarked
package kvant.load.workload;

import org.jspecify.annotations.NullMarked;
