/// The feed of changes, read in order from the logs as long as they exist.
@NullMarked
package kvant.lsm.changes;

import org.jspecify.annotations.NullMarked;
