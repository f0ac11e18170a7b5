/// Programs of the machine, for tests that need one.
@NullMarked
package kvant.text.tool;

import org.jspecify.annotations.NullMarked;
