/// The command line: reads options, wires an engine to a node, and turns failures into one line and an exit code.
///
/// The only package that depends on both servers and engines.
@NullMarked
package kvant.cli;

import org.jspecify.annotations.NullMarked;
