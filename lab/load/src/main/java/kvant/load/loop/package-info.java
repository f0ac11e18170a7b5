/// The event loops that send on schedule and record what comes back. This is the hot path: nothing here allocates
/// per request.
@NullMarked
package kvant.load.loop;

import org.jspecify.annotations.NullMarked;
