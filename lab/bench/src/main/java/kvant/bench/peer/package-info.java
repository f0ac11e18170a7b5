/// Third-party servers that have no program of their own, for `kvant lab run peers`.
@NullMarked
package kvant.bench.peer;

import org.jspecify.annotations.NullMarked;
