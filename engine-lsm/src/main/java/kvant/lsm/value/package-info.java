/// Files of large values, which tables only refer to: how they are written, read and checked.
@NullMarked
package kvant.lsm.value;

import org.jspecify.annotations.NullMarked;
