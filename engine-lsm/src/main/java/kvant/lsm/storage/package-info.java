/// All access to the file system. Tests replace it with a file system that simulates power cuts.
@NullMarked
package kvant.lsm.storage;

import org.jspecify.annotations.NullMarked;
