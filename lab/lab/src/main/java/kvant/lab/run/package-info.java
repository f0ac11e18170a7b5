/// Execution of experiments: served processes, a folder of results, and complete cleanup.
@NullMarked
package kvant.lab.run;

import org.jspecify.annotations.NullMarked;
