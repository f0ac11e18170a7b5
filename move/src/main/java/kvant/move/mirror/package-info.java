/// A store that moves while it serves: [kvant.move.mirror.MirrorEngine] keeps a second engine, the target, the same as
/// the first, the source, and has the target take over.
///
/// Knows the port alone; neither engine knows that it is one of two.
@NullMarked
package kvant.move.mirror;

import org.jspecify.annotations.NullMarked;
