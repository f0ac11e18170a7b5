/// Runs an experiment: served processes, a folder of results, nothing left behind.
@NullMarked
package kvant.lab.run;

import org.jspecify.annotations.NullMarked;
