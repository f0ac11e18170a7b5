/// Admission control: budgets of bytes, limits on calls in flight, and the standing queue.
///
/// Of a request it knows only its kind; it knows no client.
@NullMarked
package kvant.server.admit;

import org.jspecify.annotations.NullMarked;
