/// Commands that move a store: copy, mirror.
@NullMarked
package kvant.cli.move;

import org.jspecify.annotations.NullMarked;
