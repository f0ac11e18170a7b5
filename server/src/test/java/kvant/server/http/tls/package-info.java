/// Tests of the package, from within.
@NullMarked
package kvant.server.http.tls;

import org.jspecify.annotations.NullMarked;
