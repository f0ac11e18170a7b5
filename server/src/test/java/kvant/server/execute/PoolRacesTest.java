package kvant.server.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import kvant.server.admit.AdmissionOptions;
import kvant.server.admit.CoDel;
import kvant.server.admit.RequestKind;
import kvant.server.execute.WorkQueue.Waiting;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Moments between two steps of a pool, which a queue of the test's own makes last.
class PoolRacesTest {

    private static final Duration SOON = Duration.ofMillis(1);

    /// A worker has taken the nudge for a forced call, and a call that came behind it, before the other worker woke.
    @Test
    void aForcedCallDoesNotWaitForACallThatItsWorkerTookWithTheNudge() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        Done queued = new Done(gate);
        Done forced = new Done(null);
        PoolExecutor pool =
                new PoolExecutor("race", PoolOptions.classic(2), AdmissionOptions.none(), _ -> new FirstTakesTwo());
        pool.start();
        pool.force(forced);
        pool.submit(queued);
        assertThat(forced.ran.await(20, TimeUnit.SECONDS))
                .as("it ran, and the other one has not ended")
                .isTrue();
        gate.countDown();
        queued.ran.await();
        pool.close();
    }

    /// Its time without work is over, and a call comes before it counts itself out.
    @Test
    void aCallThatComesWhileASurplusWorkerEndsGetsAWorker() throws Exception {
        endingWorker(true);
    }

    /// The place for the call was found while the worker still counted.
    @Test
    void aCallWhoseWorkerEndsBeforeItIsThereGetsAnother() throws Exception {
        endingWorker(false);
    }

    /// A pool of one worker, which is busy, and of a second one, which ends while more calls come than may wait.
    ///
    /// @param lateEnd whether it ends after the call is there, or just before
    private static void endingWorker(boolean lateEnd) throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        PoolOptions one = PoolOptions.classic(1).withQueue(1).with(p -> {
            p.maxWorkers = 2;
            p.keepAlive = SOON;
        });
        EndsMeanwhile[] queue = new EndsMeanwhile[1];
        PoolExecutor pool = new PoolExecutor("race", one, AdmissionOptions.none(), calls -> {
            queue[0] = new EndsMeanwhile(calls, lateEnd);
            return queue[0];
        });
        pool.start();
        Done busy = new Done(gate);
        pool.submit(busy);
        busy.began.await();
        for (int i = 0; i < 2; i++) {
            assertThat(pool.submit(new Done(null))).isTrue(); // the second one makes the pool grow
        }
        queue[0].surplusWaits.await();
        Done last = new Done(null);
        queue[0].watched = last;
        assertThat(pool.submit(new Done(null))).isTrue();
        assertThat(pool.submit(last)).isTrue();
        queue[0].comes.countDown();
        assertThat(last.ran.await(20, TimeUnit.SECONDS))
                .as("it ran, and the busy worker is still busy")
                .isTrue();
        gate.countDown();
        busy.ran.await();
        pool.close();
    }

    /// However calls that come too late count meanwhile.
    @Test
    void aClosedVirtualExecutorNoticesItsLastCall() throws Exception {
        for (int round = 0; round < 300; round++) {
            VirtualExecutor executor = new VirtualExecutor();
            CountDownLatch gate = new CountDownLatch(1);
            executor.submit(new Done(gate));
            Thread closing = Thread.ofPlatform().start(executor::close);
            AtomicInteger late = new AtomicInteger();
            Thread submitting = Thread.ofPlatform().start(() -> {
                while (!executor.isIdle() && late.incrementAndGet() < 100_000) {
                    executor.submit(new Done(null));
                }
            });
            while (late.get() == 0) {
                Thread.onSpinWait();
            }
            gate.countDown();
            submitting.join();
            closing.join();
            assertThat(executor.isIdle()).as("round %d", round).isTrue();
        }
    }

    /// A call that waits at a gate, if it has one.
    private static final class Done implements RunnableCall {

        private final CountDownLatch began = new CountDownLatch(1);
        private final CountDownLatch ran = new CountDownLatch(1);
        private final @Nullable CountDownLatch gate;

        Done(@Nullable CountDownLatch gate) {
            this.gate = gate;
        }

        @Override
        public RequestKind kind() {
            return RequestKind.READ;
        }

        @Override
        public long queuedNanos() {
            return System.nanoTime();
        }

        @Override
        public boolean isUnwanted() {
            return false;
        }

        @Override
        public boolean isOverdue(long nowNanos) {
            return false;
        }

        @Override
        public void threadFree(boolean free) {}

        @Override
        public void startedAt(long nanos) {}

        @Override
        public Progress tryRun(CallExecutor executor) {
            return Progress.WOULD_BLOCK;
        }

        @Override
        public boolean run(CallExecutor executor) {
            began.countDown();
            try {
                if (gate != null) {
                    gate.await();
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            ran.countDown();
            return false;
        }

        @Override
        public void arrive() {}

        @Override
        public void deliver() {}

        @Override
        public void refuse(Refusal reason) {}
    }

    /// The first two of those that are put in are for the worker that waits first; what comes later is for all.
    private static final class FirstTakesTwo extends WorkQueue {

        private final BlockingQueue<Waiting> firstTwo = new LinkedBlockingQueue<>();
        private final BlockingQueue<Waiting> later = new LinkedBlockingQueue<>();
        private final AtomicInteger offered = new AtomicInteger();
        private final CountDownLatch both = new CountDownLatch(2);
        private final ThreadLocal<Boolean> isFirst = ThreadLocal.withInitial(() -> false);
        private final AtomicInteger waiters = new AtomicInteger();

        FirstTakesTwo() {
            super(PoolOptions.classic(2), 1, new CoDel(AdmissionOptions.none()));
        }

        @Override
        public boolean offer(Waiting call) {
            (offered.getAndIncrement() < 2 ? firstTwo : later).add(call);
            both.countDown();
            return true;
        }

        @Override
        public @Nullable Waiting poll() {
            return isFirst.get() ? firstTwo.poll() : later.poll();
        }

        @Override
        public @Nullable Waiting await(long nanos) throws InterruptedException {
            if (waiters.getAndIncrement() > 0) {
                return later.take();
            }
            isFirst.set(true);
            both.await();
            return firstTwo.take();
        }

        @Override
        public @Nullable Waiting peekOldest() {
            return null;
        }

        @Override
        public @Nullable Waiting pollOldest() {
            return null;
        }

        @Override
        public boolean isEmpty() {
            return later.isEmpty();
        }

        @Override
        public void removeIf(Predicate<Waiting> meant, List<Waiting> removed) {}
    }

    /// A queue whose surplus worker waits in vain once the first three calls are served or under way: until a call was
    /// put in meanwhile, or just before one is.
    private static final class EndsMeanwhile extends WorkQueue {

        private final WorkQueue calls;
        private final boolean lateEnd;
        private final CountDownLatch firstThree = new CountDownLatch(3);
        private final CountDownLatch surplusWaits = new CountDownLatch(1);
        private final CountDownLatch comes = new CountDownLatch(1);
        private volatile @Nullable Thread surplus;
        private volatile @Nullable RunnableCall watched;

        EndsMeanwhile(WorkQueue calls, boolean lateEnd) {
            super(PoolOptions.classic(1), 1, new CoDel(AdmissionOptions.none()));
            this.calls = calls;
            this.lateEnd = lateEnd;
        }

        @Override
        public boolean offer(Waiting call) {
            Thread worker = surplus;
            if (call == watched && !lateEnd && worker != null) {
                comes.countDown();
                try {
                    worker.join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            boolean taken = calls.offer(call);
            firstThree.countDown();
            return taken;
        }

        @Override
        public @Nullable Waiting await(long nanos) throws InterruptedException {
            if (nanos == Long.MAX_VALUE || surplus != null) {
                return calls.await(nanos);
            }
            firstThree.await();
            Waiting next = calls.poll();
            if (next != null) {
                return next;
            }
            surplus = Thread.currentThread();
            surplusWaits.countDown();
            comes.await();
            return null;
        }

        @Override
        public @Nullable Waiting poll() {
            return calls.poll();
        }

        @Override
        public @Nullable Waiting peekOldest() {
            return calls.peekOldest();
        }

        @Override
        public @Nullable Waiting pollOldest() {
            return calls.pollOldest();
        }

        @Override
        public boolean isEmpty() {
            return calls.isEmpty();
        }

        @Override
        public void removeIf(Predicate<Waiting> meant, List<Waiting> removed) {
            calls.removeIf(meant, removed);
        }
    }
}
