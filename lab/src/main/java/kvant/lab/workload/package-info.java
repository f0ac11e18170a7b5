/// What to ask of a server: the mix of operations, keys, values.
@NullMarked
package kvant.lab.workload;

import org.jspecify.annotations.NullMarked;
