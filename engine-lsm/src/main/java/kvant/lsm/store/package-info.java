/// The shared state of the engine's threads, and the few operations that change it. Internal to the engine.
///
///     active --seal--> sealed (bounded) --flush--> run --compaction--> run
///
/// Its root is the `Store`, which each thread has.
@NullMarked
package kvant.lsm.store;

import org.jspecify.annotations.NullMarked;
