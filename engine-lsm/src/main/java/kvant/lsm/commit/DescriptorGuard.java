package kvant.lsm.commit;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import kvant.engine.EngineException;
import kvant.lsm.storage.NoDescriptorException;
import org.jspecify.annotations.Nullable;

/// Refuses writes for a moment after the next log could not be made for want of a file descriptor.
/// Descriptors come back when clients go, so writes resume by themselves. Belongs to the commit thread.
final class DescriptorGuard {

    private static final Logger LOGGER = System.getLogger(DescriptorGuard.class.getName());

    /// Each attempt ends the current log once more, with two syncs.
    private static final long RETRY_NANOS = Duration.ofMillis(100).toNanos();

    private static final long LOG_EVERY_NANOS = Duration.ofMinutes(1).toNanos();

    private EngineException.@Nullable Busy refusal;
    private long retryNanos;
    private long loggedNanos = System.nanoTime() - LOG_EVERY_NANOS;

    /// Why no log is to be made now, or null.
    EngineException.@Nullable Busy refusal() {
        if (refusal != null && System.nanoTime() - retryNanos >= 0) {
            refusal = null;
        }
        return refusal;
    }

    EngineException.Busy failed(NoDescriptorException e) {
        long now = System.nanoTime();
        EngineException.Busy busy = new EngineException.Busy("no log can be made: " + e.getMessage());
        refusal = busy;
        retryNanos = now + RETRY_NANOS;
        if (now - loggedNanos >= LOG_EVERY_NANOS) {
            loggedNanos = now;
            LOGGER.log(Level.WARNING, "writes wait for a file descriptor: {0}", e.getMessage());
        }
        return busy;
    }
}
