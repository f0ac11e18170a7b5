/// The result of a run as data, and the files that keep it.
@NullMarked
package kvant.load.result;

import org.jspecify.annotations.NullMarked;
