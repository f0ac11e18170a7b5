/// The read path: one super version holds all that a reader needs, and is replaced as a whole. Internal to the engine.
///
///     get  -> SuperVersions -> SuperVersion -> memtables, newest first -> runs of tables, newest first
///     scan -> Scans -> ScanCursor over what one SuperVersion had; its memtables only until they are flushed
@NullMarked
package kvant.lsm.read;

import org.jspecify.annotations.NullMarked;
