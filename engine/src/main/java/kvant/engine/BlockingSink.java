package kvant.engine;

import java.util.concurrent.CountDownLatch;

/// The sink of a caller that waits for its one write.
final class BlockingSink implements CompletionSink {

    private final CountDownLatch done = new CountDownLatch(1);

    static long write(Engine engine, WriteBatch batch) throws ConditionFailedException {
        BlockingSink sink = new BlockingSink();
        Write write = new Write(batch, sink);
        engine.submit(write);
        sink.await();
        EngineException failure = write.failure();
        if (failure != null) {
            throw failure;
        }
        if (write.outcome() == Write.Outcome.REFUSED) {
            throw new ConditionFailedException();
        }
        return write.version();
    }

    @Override
    public void completed(Write write) {
        done.countDown();
    }

    @Override
    public void wake() {
        // The latch has woken the caller already.
    }

    /// Waits through interrupts: the write cannot be taken back, so its outcome must be seen.
    private void await() {
        boolean interrupted = false;
        while (true) {
            try {
                done.await();
                break;
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
