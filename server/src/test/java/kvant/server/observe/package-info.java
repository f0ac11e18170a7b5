/// Tests of the package, from within.
@NullMarked
package kvant.server.observe;

import org.jspecify.annotations.NullMarked;
