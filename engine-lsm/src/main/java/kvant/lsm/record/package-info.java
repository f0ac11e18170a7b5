/// What the log, the memtable and the tables hold: versioned records, and cursors that merge them.
@NullMarked
package kvant.lsm.record;

import org.jspecify.annotations.NullMarked;
