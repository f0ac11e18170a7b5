/// The activity of the machine during a run, besides the run itself.
@NullMarked
package kvant.load.host;

import org.jspecify.annotations.NullMarked;
