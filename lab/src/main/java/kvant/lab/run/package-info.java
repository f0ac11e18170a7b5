/// Runs an experiment: one served process at a time, a folder of results, nothing left behind.
@NullMarked
package kvant.lab.run;

import org.jspecify.annotations.NullMarked;
