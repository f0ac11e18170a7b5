/// Tests of the package, from within.
@NullMarked
package kvant.server.http.answer;

import org.jspecify.annotations.NullMarked;
