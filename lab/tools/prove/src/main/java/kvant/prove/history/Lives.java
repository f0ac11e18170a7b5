package kvant.prove.history;

import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The processes that serve one store, one after the other. Any thread may ask.
final class Lives {

    private static final long PATIENCE_SECONDS = 90;

    /// @param death when the process was gone, as `System.nanoTime`
    record Life(InetSocketAddress http, InetSocketAddress resp, CompletableFuture<Long> death) {

        /// When an operation that this life has not answered can no longer take effect.
        long end() throws InterruptedException {
            try {
                return death.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException | ExecutionException _) {
                return Operation.NEVER; // it lives, and has closed a connection
            }
        }
    }

    private volatile CompletableFuture<Life> current = new CompletableFuture<>();

    void begin(InetSocketAddress http, InetSocketAddress resp) {
        current.complete(new Life(http, resp, new CompletableFuture<>()));
    }

    /// The process is gone.
    void end() {
        Life life = current.join();
        current = new CompletableFuture<>();
        life.death().complete(System.nanoTime());
    }

    Life await() throws InterruptedException, TimeoutException {
        try {
            return current.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    boolean isCurrent(Life life) {
        return current.getNow(null) == life;
    }
}
