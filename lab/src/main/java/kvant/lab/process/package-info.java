/// What a served process did, as the system and its flight recording tell it.
@NullMarked
package kvant.lab.process;

import org.jspecify.annotations.NullMarked;
