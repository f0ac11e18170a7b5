/// What every command line of ours shares: kinds of option values, and one line for what goes wrong.
@NullMarked
package kvant.text.command;

import org.jspecify.annotations.NullMarked;
