/// Trials, the stage of their runs, and their nodes.
@NullMarked
package kvant.prove.stage;

import org.jspecify.annotations.NullMarked;
