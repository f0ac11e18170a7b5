/// Makes a report of a folder of results.
@NullMarked
package kvant.lab.study;

import org.jspecify.annotations.NullMarked;
