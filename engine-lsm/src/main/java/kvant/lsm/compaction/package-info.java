/// Merging tables: a pure picker decides, a job carries it out.
@NullMarked
package kvant.lsm.compaction;

import org.jspecify.annotations.NullMarked;
