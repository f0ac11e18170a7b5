/// Encoding of requests, and a response parser without allocation.
@NullMarked
package kvant.load.http;

import org.jspecify.annotations.NullMarked;
