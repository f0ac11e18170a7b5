/// What several adapters, and engines that wrap engines, share.
@NullMarked
package kvant.engine.kit;

import org.jspecify.annotations.NullMarked;
