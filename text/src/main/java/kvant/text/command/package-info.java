/// Shared code of all command lines: option types, and one-line errors.
@NullMarked
package kvant.text.command;

import org.jspecify.annotations.NullMarked;
