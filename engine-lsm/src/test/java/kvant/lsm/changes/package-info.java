@NullMarked
package kvant.lsm.changes;

import org.jspecify.annotations.NullMarked;
