/// Creates the report of a result folder.
@NullMarked
package kvant.report;

import org.jspecify.annotations.NullMarked;
