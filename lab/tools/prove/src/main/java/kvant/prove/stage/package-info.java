/// The stage of a trial: its folder, seed and time limit, its figures, and the violation of a promise.
@NullMarked
package kvant.prove.stage;

import org.jspecify.annotations.NullMarked;
