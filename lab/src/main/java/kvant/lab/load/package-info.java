/// The load generator: event loops that send on schedule and record what comes back.
@NullMarked
package kvant.lab.load;

import org.jspecify.annotations.NullMarked;
