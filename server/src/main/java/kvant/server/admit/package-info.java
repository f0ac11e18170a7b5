/// Who is let in and who is turned away: budgets of bytes, limits on calls in flight, and the standing queue.
///
/// Knows nothing of requests but their kind, and nobody who asks.
@NullMarked
package kvant.server.admit;

import org.jspecify.annotations.NullMarked;
