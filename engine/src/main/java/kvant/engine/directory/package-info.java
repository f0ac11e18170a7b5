/// The data directory, for engines that keep their files on this machine: who holds it, which engine wrote it, and
/// where a checkpoint may be written.
@NullMarked
package kvant.engine.directory;

import org.jspecify.annotations.NullMarked;
