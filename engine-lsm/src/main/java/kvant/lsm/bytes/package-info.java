/// Byte strings: comparison, variable-length integers, growing buffers, checksums; and a count of references, for what
/// holds bytes. Depends on nothing above it.
@NullMarked
package kvant.lsm.bytes;

import org.jspecify.annotations.NullMarked;
