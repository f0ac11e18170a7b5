/// What a trial is, where it runs, and the nodes that it starts.
@NullMarked
package kvant.prove.stage;

import org.jspecify.annotations.NullMarked;
