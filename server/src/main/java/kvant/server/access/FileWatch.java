package kvant.server.access;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Looks at files twice a second on a thread of its own. Notifications of the kernel are not used: they do not come for
/// network file systems and for links that lead elsewhere now, which is how secrets are mounted.
public final class FileWatch implements AutoCloseable {

    private static final Duration EVERY = Duration.ofMillis(500);

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("kvant-files").daemon().factory());

    public FileWatch(List<? extends Reloaded<?>> watched) {
        if (!watched.isEmpty()) {
            thread.scheduleWithFixedDelay(
                    () -> watched.forEach(Reloaded::look), EVERY.toMillis(), EVERY.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
