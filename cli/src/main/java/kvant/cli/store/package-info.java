/// Commands for a data directory: check, inspect, checkpoint, compact.
@NullMarked
package kvant.cli.store;

import org.jspecify.annotations.NullMarked;
