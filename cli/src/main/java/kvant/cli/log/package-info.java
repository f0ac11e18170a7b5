/// The log of the process: its contents, destination and format. All other code logs through `System.Logger` or SLF4J
/// and does not depend on this package.
@NullMarked
package kvant.cli.log;

import org.jspecify.annotations.NullMarked;
