/// The commands `load` and `compare`, and a command line of their own for who has nothing but the load generator.
@NullMarked
package kvant.load.command;

import org.jspecify.annotations.NullMarked;
