package kvant.engine;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A sink that records the completions and wakes of an engine.
public final class RecordingSink implements CompletionSink {

    // Guarded by this.
    private final List<Write> completed = new ArrayList<>();
    private int wakes;
    private int completedSinceWake;

    @Override
    public synchronized void completed(Write write) {
        completed.add(write);
        completedSinceWake++;
        notifyAll();
    }

    @Override
    public synchronized void wake() {
        wakes++;
        completedSinceWake = 0;
        notifyAll();
    }

    /// The writes completed so far, in the order of completion.
    public synchronized List<Write> completed() {
        return List.copyOf(completed);
    }

    public synchronized int wakes() {
        return wakes;
    }

    /// Waits until so many writes have come back, and restores an interrupt: HotSpot leaves one in a thread that read
    /// memory while it was closed.
    ///
    /// @throws AssertionError when they do not in time
    public synchronized void awaitCompleted(int count) {
        long deadline = System.nanoTime() + Samples.timeoutNanos();
        boolean interrupted = false;
        try {
            while (completed.size() < count) {
                long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (leftMillis <= 0) {
                    throw new AssertionError("only " + completed.size() + " of " + count + " writes were completed");
                }
                try {
                    wait(leftMillis);
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Waits until every completed write has been followed by a wake.
    public void awaitWoken() {
        await().atMost(Duration.ofNanos(Samples.timeoutNanos())).until(this::woken);
    }

    private synchronized boolean woken() {
        return wakes > 0 && completedSinceWake == 0;
    }
}
