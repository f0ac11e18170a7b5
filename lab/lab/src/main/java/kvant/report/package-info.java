/// Makes a report of a folder of results.
@NullMarked
package kvant.report;

import org.jspecify.annotations.NullMarked;
