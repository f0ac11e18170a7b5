package kvant.server;

import java.time.Duration;
import kvant.engine.Engine;
import kvant.engine.RemoteEngine;
import kvant.server.admit.AdmissionOptions;
import kvant.server.execute.AdaptiveExecutor;
import kvant.server.execute.CallExecutor;
import kvant.server.execute.PoolExecutor;
import kvant.server.execute.PoolOptions;
import kvant.server.execute.ScanLimiter;
import kvant.server.execute.SplitExecutor;
import kvant.server.execute.SyncExecutor;
import kvant.server.execute.VirtualExecutor;
import kvant.server.service.ServiceOptions;

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

    /// Starts the executor of a handler.
    ///
    /// @param ranges bound on ranges under way
    public CallExecutor open(Engine engine, ServiceOptions options, ScanLimiter ranges) {
        PoolOptions writes = options.writes();
        AdmissionOptions admission = options.admission();
        return switch (this) {
            case SYNC -> new SyncExecutor();
            case VIRTUAL -> new VirtualExecutor();
            case ASYNC -> {
                PoolExecutor pool = PoolExecutor.started("kvant-worker", options.pool(), admission);
                yield writes == null
                        ? pool
                        : new SplitExecutor(pool, PoolExecutor.started("kvant-writer", writes, admission));
            }
            case ADAPTIVE -> {
                PoolExecutor pool = PoolExecutor.started("kvant-worker", options.pool(), admission);
                PoolOptions few = options.pool().forRanges(Runtime.getRuntime().availableProcessors());
                yield new AdaptiveExecutor(
                        pool,
                        engine instanceof RemoteEngine // rounds that wait for a network take no thread of the platform
                                ? new VirtualExecutor()
                                : PoolExecutor.ofRanges("kvant-range", few, admission, ranges));
            }
        };
    }

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
