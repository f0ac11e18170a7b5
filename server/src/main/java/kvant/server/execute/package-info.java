/// Executors of calls: four of them behind one interface, the pool, and its queue.
///
/// Knows a call as a [kvant.server.execute.RunnableCall], and neither requests nor the engine.
@NullMarked
package kvant.server.execute;

import org.jspecify.annotations.NullMarked;
