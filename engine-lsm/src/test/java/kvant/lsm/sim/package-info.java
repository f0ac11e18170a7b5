/// A file system that loses power and fails on demand.
@NullMarked
package kvant.lsm.sim;

import org.jspecify.annotations.NullMarked;
