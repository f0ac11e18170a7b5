/// The command line: reads options, connects an engine to a node, and reports a failure as one line and an exit code.
///
/// The only package that depends on both servers and engines.
@NullMarked
package kvant.cli;

import org.jspecify.annotations.NullMarked;
