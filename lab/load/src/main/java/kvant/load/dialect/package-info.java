/// How servers are spoken to: bytes of requests, and what their answers say.
@NullMarked
package kvant.load.dialect;

import org.jspecify.annotations.NullMarked;
