/// Servers of others that have no program of their own to start, for `kvant lab run peers`.
@NullMarked
package kvant.bench.peer;

import org.jspecify.annotations.NullMarked;
