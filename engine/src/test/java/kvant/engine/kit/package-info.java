@NullMarked
package kvant.engine.kit;

import org.jspecify.annotations.NullMarked;
