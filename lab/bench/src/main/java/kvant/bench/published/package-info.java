/// Published implementations that were slower, plugged into the LSM engine through `LsmParts` to be measured beside
/// its own.
@NullMarked
package kvant.bench.published;

import org.jspecify.annotations.NullMarked;
