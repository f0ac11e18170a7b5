/// Brings a store back at its start. Internal to the engine, but for `RecoveryReport`.
@NullMarked
package kvant.lsm.recover;

import org.jspecify.annotations.NullMarked;
