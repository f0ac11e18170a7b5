/// Requests as bytes, and a response parser that allocates nothing.
@NullMarked
package kvant.load.http;

import org.jspecify.annotations.NullMarked;
