/// Commands of the laboratory: lab and profile.
@NullMarked
package kvant.lab.command;

import org.jspecify.annotations.NullMarked;
