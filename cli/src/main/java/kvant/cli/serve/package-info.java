/// `kvant serve`: its options, a node around an engine until a signal, and `kvant slow`, which asks it.
@NullMarked
package kvant.cli.serve;

import org.jspecify.annotations.NullMarked;
