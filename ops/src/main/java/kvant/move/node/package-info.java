/// A serving node as one end of a move: reads ranges and sends writes over HTTP. docs/http-api.md has what is said.
@NullMarked
package kvant.move.node;

import org.jspecify.annotations.NullMarked;
