/// The command line for other programs: man pages, and completion of commands and options in a shell.
@NullMarked
package kvant.cli.manual;

import org.jspecify.annotations.NullMarked;
