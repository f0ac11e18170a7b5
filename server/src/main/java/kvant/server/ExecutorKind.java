package kvant.server;

import java.time.Duration;
import kvant.server.admit.AdmissionOptions;
import kvant.server.execute.PoolOptions;

/// Where requests meet the engine.
public enum ExecutorKind {
    /// On the event loop that read the request.
    SYNC,
    /// On a pool of workers behind a queue.
    ASYNC,
    /// On a virtual thread of its own.
    VIRTUAL,
    /// On the event loop what cannot block, on a pool of workers what would.
    ADAPTIVE;

    /// The pool that this executor has by default.
    PoolOptions defaultPool() {
        int cores = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, PoolOptions.MAX_WORKERS);
        return this == ADAPTIVE ? PoolOptions.blocking(cores) : PoolOptions.classic(cores);
    }

    /// Whom it turns away by default. The classic pool does so when its queue is full and when a deadline has
    /// passed, and not before, as those do that it is compared with.
    AdmissionOptions defaultAdmission() {
        AdmissionOptions defaults = AdmissionOptions.defaults();
        return this == ASYNC ? defaults.with(a -> a.targetDelay = Duration.ZERO) : defaults;
    }
}
