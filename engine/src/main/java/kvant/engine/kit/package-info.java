/// Code shared by several adapters, and by engines that wrap engines.
@NullMarked
package kvant.engine.kit;

import org.jspecify.annotations.NullMarked;
