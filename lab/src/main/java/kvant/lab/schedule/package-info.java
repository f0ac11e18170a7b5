/// When a request is due.
@NullMarked
package kvant.lab.schedule;

import org.jspecify.annotations.NullMarked;
