/// Execution of a run from its connections to its result, and the prefill before it.
@NullMarked
package kvant.load.run;

import org.jspecify.annotations.NullMarked;
