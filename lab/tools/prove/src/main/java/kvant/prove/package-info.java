/// The command `kvant prove`: which trials there are, their runs, and the page of their results.
@NullMarked
package kvant.prove;

import org.jspecify.annotations.NullMarked;
