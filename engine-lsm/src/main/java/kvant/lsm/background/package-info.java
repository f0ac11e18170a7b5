/// The threads that flush memtables and merge tables while requests are served. Internal to the engine.
@NullMarked
package kvant.lsm.background;

import org.jspecify.annotations.NullMarked;
