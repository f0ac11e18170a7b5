/// Which files make up the store, and the manifest that records it.
@NullMarked
package kvant.lsm.version;

import org.jspecify.annotations.NullMarked;
