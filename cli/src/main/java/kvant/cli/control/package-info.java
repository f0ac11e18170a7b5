/// The connection between an operator's command and the node that holds a data directory: a Unix domain socket in it.
///
///     request = "kvant1 " command [" " argument] LF
///     answer  = ("out " text LF | "progress " text LF)* ("done" LF | "failed " text LF)
///
/// One request per connection. This is not a network service: only the user of the node's process may connect. It is
/// the only interface that takes file names from a client.
@NullMarked
package kvant.cli.control;

import org.jspecify.annotations.NullMarked;
