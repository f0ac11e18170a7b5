/// Options that select and configure an engine, shared by several commands.
@NullMarked
package kvant.cli.engine;

import org.jspecify.annotations.NullMarked;
