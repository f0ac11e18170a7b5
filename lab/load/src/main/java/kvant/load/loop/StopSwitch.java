package kvant.load.loop;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// How a person ends a run early. May be thrown by any thread, once.
public final class StopSwitch {

    private final CountDownLatch thrown = new CountDownLatch(1);

    public void stop() {
        thrown.countDown();
    }

    public boolean isStopped() {
        return thrown.getCount() == 0;
    }

    /// Sleeps, unless or until somebody throws the switch.
    public void sleep(long nanos) {
        try {
            boolean _ = thrown.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            stop();
        }
    }
}
