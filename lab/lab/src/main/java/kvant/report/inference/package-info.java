/// Statistics of rounds that are pairs: numbers in, numbers out, nothing of files or words.
@NullMarked
package kvant.report.inference;

import org.jspecify.annotations.NullMarked;
