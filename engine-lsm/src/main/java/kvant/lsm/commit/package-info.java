/// The write path: commit groups, their logs, and write stalls. Internal to the engine, but for `WriteThrottle`, which
/// is an option.
@NullMarked
package kvant.lsm.commit;

import org.jspecify.annotations.NullMarked;
