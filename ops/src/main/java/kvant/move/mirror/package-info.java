/// Moves a store while it serves: [kvant.move.mirror.MirrorEngine] keeps a second engine, the target, equal to the
/// first, the source, and switches to the target.
///
/// Depends on the port alone; neither engine knows of the other.
@NullMarked
package kvant.move.mirror;

import org.jspecify.annotations.NullMarked;
