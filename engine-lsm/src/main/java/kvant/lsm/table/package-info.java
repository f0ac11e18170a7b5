/// Immutable sorted files (SSTables): writer, reader, index, filter, block cache.
@NullMarked
package kvant.lsm.table;

import org.jspecify.annotations.NullMarked;
