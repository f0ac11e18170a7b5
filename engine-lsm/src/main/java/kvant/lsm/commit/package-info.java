/// The write path: commit groups, the logs that they go into, and what holds them back. Internal to the engine, but for
/// `WriteThrottle`, which is an option.
@NullMarked
package kvant.lsm.commit;

import org.jspecify.annotations.NullMarked;
