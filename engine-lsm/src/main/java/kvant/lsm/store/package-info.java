/// What the threads of the engine share, and the few ways in which it changes. Internal to the engine.
///
///     active --seal--> sealed (bounded) --flush--> run --compaction--> run
///
/// All of it hangs on the `Store`, which each thread has.
@NullMarked
package kvant.lsm.store;

import org.jspecify.annotations.NullMarked;
