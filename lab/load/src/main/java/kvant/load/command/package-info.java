/// The commands `load` and `compare`, and a command line for using the load generator without the rest of Kvant.
@NullMarked
package kvant.load.command;

import org.jspecify.annotations.NullMarked;
