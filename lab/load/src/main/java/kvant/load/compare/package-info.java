/// Two results beside each other, with the uncertainty of their difference.
@NullMarked
package kvant.load.compare;

import org.jspecify.annotations.NullMarked;
