/// What a folder of results holds, read as far as it is there.
@NullMarked
package kvant.report.folder;

import org.jspecify.annotations.NullMarked;
