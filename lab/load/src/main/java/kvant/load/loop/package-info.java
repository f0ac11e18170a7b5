/// The event loops that send requests on schedule and record the answers. This is the hot path: nothing is allocated
/// per request.
@NullMarked
package kvant.load.loop;

import org.jspecify.annotations.NullMarked;
