package kvant.server;

import java.time.Duration;
import kvant.server.admit.AdmissionOptions;
import kvant.server.execute.PoolOptions;

/// The threads on which requests call the engine.
public enum ExecutorKind {
    /// On the event loop that read the request.
    SYNC,
    /// On a pool of workers behind a queue.
    ASYNC,
    /// On a virtual thread of its own.
    VIRTUAL,
    /// On the event loop for calls that cannot block, on a pool of workers for the others.
    ADAPTIVE;

    /// The pool that this executor has by default.
    PoolOptions defaultPool() {
        int cores = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, PoolOptions.MAX_WORKERS);
        return this == ADAPTIVE ? PoolOptions.blocking(cores) : PoolOptions.classic(cores);
    }

    /// Default admission control. The classic pool refuses only when its queue is full or a deadline has passed, like
    /// the published pools that it is compared with.
    AdmissionOptions defaultAdmission() {
        AdmissionOptions defaults = AdmissionOptions.defaults();
        return this == ASYNC ? defaults.with(a -> a.targetDelay = Duration.ZERO) : defaults;
    }
}
