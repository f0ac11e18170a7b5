/// Moves the records of a store into another one, offline or while it serves.
///
/// Depends on the port alone, so any two engines can be source and target.
@NullMarked
package kvant.move;

import org.jspecify.annotations.NullMarked;
