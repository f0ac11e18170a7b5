/// What was written, in order, read from the logs while they are there.
@NullMarked
package kvant.lsm.changes;

import org.jspecify.annotations.NullMarked;
