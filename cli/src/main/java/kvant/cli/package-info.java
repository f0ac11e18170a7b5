/// The command line: reads options, wires an engine to a node, and turns failures into one line and an exit code.
///
/// The only place that sees servers and engines both. Nothing here does the work of either.
@NullMarked
package kvant.cli;

import org.jspecify.annotations.NullMarked;
