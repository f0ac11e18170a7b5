/// Slower published implementations, plugged into the LSM engine through `LsmParts` for comparison with its own.
@NullMarked
package kvant.bench.published;

import org.jspecify.annotations.NullMarked;
