/// Where calls run: four executors behind one interface, the pool, and what waits in its queue.
///
/// Knows a call as a [kvant.server.execute.RunnableCall], and neither requests nor the engine.
@NullMarked
package kvant.server.execute;

import org.jspecify.annotations.NullMarked;
