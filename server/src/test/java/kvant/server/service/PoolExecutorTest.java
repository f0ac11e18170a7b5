package kvant.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.server.MemoryEngine;
import org.junit.jupiter.api.Test;

/// Queue and overflow side by side.
class PoolExecutorTest {

    private static final int ROUNDS = 50_000;

    /// Resumes a range as soon as a round is settled, on the worker, so that the overflow is never empty.
    private static final class Hungry extends Call {
        private final Service service;
        private final AtomicInteger rounds = new AtomicInteger();
        private final CountDownLatch ended = new CountDownLatch(1);

        Hungry(LoopMailbox mailbox, Service service) {
            super(mailbox);
            this.service = service;
        }

        @Override
        protected void settled(Outcome settledAs) {
            rounds.incrementAndGet();
            if (settledAs instanceof Outcome.Records records && !records.batch().last()) {
                service.resume(this);
            } else {
                ended.countDown();
            }
        }

        @Override
        protected long deadlineMillis() {
            return NO_DEADLINE;
        }

        @Override
        protected void dropped() {}
    }

    private static final class Single extends Call {
        private final AtomicBoolean before;
        private final Hungry other;
        private final CountDownLatch ended = new CountDownLatch(1);

        Single(LoopMailbox mailbox, Hungry other, AtomicBoolean before) {
            super(mailbox);
            this.other = other;
            this.before = before;
        }

        @Override
        protected void settled(Outcome settledAs) {
            before.set(other.ended.getCount() > 0);
            ended.countDown();
        }

        @Override
        protected long deadlineMillis() {
            return NO_DEADLINE;
        }

        @Override
        protected void dropped() {}
    }

    @Test
    void rangesThatAreResumedAtOnceDoNotKeepTheQueueWaiting() throws Exception {
        try (MemoryEngine engine = new MemoryEngine()) {
            engine.record(false);
            for (int i = 0; i < ROUNDS; i++) {
                engine.load(key("k%06d".formatted(i)), key("v"));
            }
            MemoryEngine.Gate gate = new MemoryEngine.Gate();
            engine.blockScans(gate);
            PoolOptions pool = PoolOptions.classic(1).withQueue(10);
            Service service = Service.async(
                    engine,
                    InstantSource.system(),
                    new ServiceOptions(1, 1000, pool, null, AdmissionOptions.none()),
                    new MemoryBudget(Long.MAX_VALUE / 2));
            Hungry hungry = new Hungry(service.mailbox(Runnable::run), service);
            service.submit(hungry, Request.Scan.between(key("k"), null, Long.MAX_VALUE));
            AtomicBoolean before = new AtomicBoolean();
            Single single = new Single(service.mailbox(Runnable::run), hungry, before);
            service.submit(single, new Request.Get(key("k000001"), Precondition.Plain.NONE));
            engine.blockScans(null);
            gate.open();
            single.ended.await();
            assertThat(before).as("answered before the range ended").isTrue();
            hungry.ended.await();
            assertThat(hungry.rounds).hasValueGreaterThan(ROUNDS - 1);
            service.close();
        }
    }

    private static byte[] key(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
