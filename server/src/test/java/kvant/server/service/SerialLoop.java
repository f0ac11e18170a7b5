package kvant.server.service;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// One thread, as an event loop is: no other thread empties the mailbox.
final class SerialLoop implements Executor, AutoCloseable {

    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("test-loop").daemon().factory());

    @Override
    public void execute(Runnable task) {
        thread.execute(task);
    }

    /// Does what it was given before, and ends.
    @Override
    public void close() {
        thread.close();
    }
}
