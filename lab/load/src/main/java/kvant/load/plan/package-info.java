/// What a run is asked to do: the server, the clients, the rate, the time.
@NullMarked
package kvant.load.plan;

import org.jspecify.annotations.NullMarked;
