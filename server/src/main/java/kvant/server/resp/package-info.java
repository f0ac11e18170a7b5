/// RESP, the protocol of Redis: words to commands, commands to requests, outcomes to replies.
///
/// A counterpart of `kvant.server.http.parse` and `kvant.server.http.answer`, based on the same readers and writers.
/// Knows neither a connection nor the order of its requests.
@NullMarked
package kvant.server.resp;

import org.jspecify.annotations.NullMarked;
