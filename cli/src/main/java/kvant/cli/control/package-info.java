/// How an operator's command reaches the node that holds a data directory: a Unix domain socket in that directory.
///
///     request = "kvant1 " command [" " argument] LF
///     answer  = ("out " text LF | "progress " text LF)* ("done" LF | "failed " text LF)
///
/// One request a connection. Not a network service: only the user that runs the node may connect, and only here do file
/// names come from a caller.
@NullMarked
package kvant.cli.control;

import org.jspecify.annotations.NullMarked;
