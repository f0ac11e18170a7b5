package kvant.load.loop;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Ends a run early on request of the user. May be called by any thread, once.
public final class StopSwitch {

    private final CountDownLatch thrown = new CountDownLatch(1);

    public void stop() {
        thrown.countDown();
    }

    public boolean isStopped() {
        return thrown.getCount() == 0;
    }

    /// Sleeps until the time is over or the switch is used.
    public void sleep(long nanos) {
        try {
            boolean _ = thrown.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            stop();
        }
    }
}
