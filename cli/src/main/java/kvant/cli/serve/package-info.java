/// `kvant serve`: its options, the node with its engine until a signal, and `kvant slow`, which queries the node.
@NullMarked
package kvant.cli.serve;

import org.jspecify.annotations.NullMarked;
