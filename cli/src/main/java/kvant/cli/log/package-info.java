/// What the process logs, where to and in which form. Everything else logs through `System.Logger` or SLF4J and knows
/// nothing of it.
@NullMarked
package kvant.cli.log;

import org.jspecify.annotations.NullMarked;
