/// A served process: the location of its program, and its activity according to the system and its flight recording.
///
/// Also operations on folders created by the laboratory.
@NullMarked
package kvant.lab.process;

import org.jspecify.annotations.NullMarked;
