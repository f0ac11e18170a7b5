/// A serving node as one end of a move: reads ranges and sends writes over HTTP. See docs/http-api.md.
@NullMarked
package kvant.move.node;

import org.jspecify.annotations.NullMarked;
