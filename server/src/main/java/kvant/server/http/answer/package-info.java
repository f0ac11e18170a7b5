/// Outcomes to bytes: heads, values in pieces, ranges in chunks, problem documents.
///
/// Knows the channel that it writes to, and neither requests nor their connection.
@NullMarked
package kvant.server.http.answer;

import org.jspecify.annotations.NullMarked;
