/// Byte strings: comparison, variable-length integers, growing buffers, checksums. Depends on nothing above it.
@NullMarked
package kvant.lsm.bytes;

import org.jspecify.annotations.NullMarked;
