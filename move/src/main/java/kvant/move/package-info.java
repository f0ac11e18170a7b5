/// Moving house: how the records of a store get into another one, while it rests or while it serves.
///
/// Knows the port alone, so that any two engines can be the old and the new home.
@NullMarked
package kvant.move;

import org.jspecify.annotations.NullMarked;
