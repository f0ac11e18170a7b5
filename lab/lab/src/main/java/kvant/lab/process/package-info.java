/// A served process: where its program is, and what it did, as the system and its flight recording tell it.
@NullMarked
package kvant.lab.process;

import org.jspecify.annotations.NullMarked;
