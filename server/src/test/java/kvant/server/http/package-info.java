/// Tests of the package, from within.
@NullMarked
package kvant.server.http;

import org.jspecify.annotations.NullMarked;
