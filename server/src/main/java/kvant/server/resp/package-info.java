/// RESP, the protocol of Redis: words to commands, commands to requests, outcomes to replies.
///
/// Stands beside `kvant.server.http.parse` and `kvant.server.http.answer`, on the same readers and writers, and knows
/// neither a connection nor the order of its requests.
@NullMarked
package kvant.server.resp;

import org.jspecify.annotations.NullMarked;
