/// The specification of a run: the server, the clients, the rate, the duration.
@NullMarked
package kvant.load.plan;

import org.jspecify.annotations.NullMarked;
