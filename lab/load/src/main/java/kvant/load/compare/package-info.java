/// Comparison of two results, with the uncertainty of their difference.
@NullMarked
package kvant.load.compare;

import org.jspecify.annotations.NullMarked;
