/// Bytes of RESP to the words of commands, and what words mean by themselves.
///
/// Knows no command, no channel and no connection.
@NullMarked
package kvant.server.resp.parse;

import org.jspecify.annotations.NullMarked;
