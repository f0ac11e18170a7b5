/// The result of a run as data, and its files.
@NullMarked
package kvant.load.result;

import org.jspecify.annotations.NullMarked;
