/// The newest writes, sorted, in memory.
@NullMarked
package kvant.lsm.memtable;

import org.jspecify.annotations.NullMarked;
