/// A served process: where its program is, and what it did, as the system and its flight recording tell it.
///
/// Here, too: what is done to folders that the laboratory created.
@NullMarked
package kvant.lab.process;

import org.jspecify.annotations.NullMarked;
