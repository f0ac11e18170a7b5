/// Immutable sorted files.
@NullMarked
package kvant.lsm.table;

import org.jspecify.annotations.NullMarked;
