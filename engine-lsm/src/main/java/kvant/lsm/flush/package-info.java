/// Turning a sealed memtable into a table.
@NullMarked
package kvant.lsm.flush;

import org.jspecify.annotations.NullMarked;
