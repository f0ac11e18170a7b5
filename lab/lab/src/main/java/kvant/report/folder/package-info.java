/// The contents of a result folder, read as far as available.
@NullMarked
package kvant.report.folder;

import org.jspecify.annotations.NullMarked;
