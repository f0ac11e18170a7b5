/// Tests of the package, from within.
@NullMarked
package kvant.server.execute;

import org.jspecify.annotations.NullMarked;
