/// The files of the store, and the manifest that records them.
@NullMarked
package kvant.lsm.version;

import org.jspecify.annotations.NullMarked;
