/// When a request is due.
@NullMarked
package kvant.load.schedule;

import org.jspecify.annotations.NullMarked;
