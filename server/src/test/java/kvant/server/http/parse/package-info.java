/// Tests of the package, from within.
@NullMarked
package kvant.server.http.parse;

import org.jspecify.annotations.NullMarked;
