/// The content of log, memtable and tables: versioned records, and cursors that merge them.
@NullMarked
package kvant.lsm.record;

import org.jspecify.annotations.NullMarked;
