/// Tests of the package, from within.
@NullMarked
package kvant.server.admit;

import org.jspecify.annotations.NullMarked;
