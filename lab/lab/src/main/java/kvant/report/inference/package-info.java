/// Statistics for paired rounds: numbers in, numbers out, independent of files and texts.
@NullMarked
package kvant.report.inference;

import org.jspecify.annotations.NullMarked;
