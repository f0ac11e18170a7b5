/// What the threads of the engine share, and the few ways in which it changes. Internal to the engine.
///
///     active --seal--> sealed (bounded) --flush--> run --compaction--> run
///
/// Each audience gets the parts that it needs and no other: readers `SuperVersions`, the commit thread a `CommitView`,
/// flush and compaction a `BackgroundView`, operators an `OperatorView`.
@NullMarked
package kvant.lsm.store;

import org.jspecify.annotations.NullMarked;
