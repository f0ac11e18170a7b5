/// The schedule of requests.
@NullMarked
package kvant.load.schedule;

import org.jspecify.annotations.NullMarked;
