/// Operations for operators: on an open store through the port's `Maintenance`, on a closed one through
/// `StoreCheck` and `StoreInspection`. Those two are public API; the rest is internal to the engine.
@NullMarked
package kvant.lsm.operate;

import org.jspecify.annotations.NullMarked;
