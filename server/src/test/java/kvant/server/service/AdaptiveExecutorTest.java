package kvant.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.server.MemoryEngine;
import org.junit.jupiter.api.Test;

class AdaptiveExecutorTest {

    private static final int RECORDS = 200;
    private static final int RANGES = 3 * PoolOptions.RANGES_UNDER_WAY;

    /// A range of many rounds, each resumed at once by the thread that settled the one before.
    private static final class Range extends Call {
        private final Service service;
        private final AtomicInteger mostOpen;
        private final CountDownLatch answered;

        Range(Service service, AtomicInteger mostOpen, CountDownLatch answered) {
            super(service.mailbox(Runnable::run));
            this.service = service;
            this.mostOpen = mostOpen;
            this.answered = answered;
        }

        @Override
        protected void settled(Outcome outcome) {
            assertThat(Thread.currentThread().getName()).startsWith("kvant-range");
            mostOpen.accumulateAndGet(service.openScans(), Math::max);
            if (((Outcome.Records) outcome).batch().last()) {
                answered.countDown();
            } else {
                service.resume(this);
            }
        }

        @Override
        protected long deadlineMillis() {
            return NO_DEADLINE;
        }

        @Override
        protected void dropped() {}
    }

    /// Were all of them begun at once, all would end late.
    @Test
    void rangesWaitWhileManyAreUnderWay() throws Exception {
        try (MemoryEngine engine = new MemoryEngine()) {
            engine.record(false);
            for (int i = 0; i < RECORDS; i++) {
                engine.load(bytes("k%06d".formatted(i)), bytes("v"));
            }
            MemoryEngine.Gate gate = new MemoryEngine.Gate();
            engine.blockScans(gate);
            PoolOptions pool = PoolOptions.blocking(1).withQueue(RANGES);
            Service service = Service.adaptive(
                    engine,
                    InstantSource.system(),
                    new ServiceOptions(1, 1000, pool, null, AdmissionOptions.none()),
                    new MemoryBudget(Long.MAX_VALUE / 2));
            AtomicInteger mostOpen = new AtomicInteger();
            CountDownLatch answered = new CountDownLatch(RANGES);
            for (int i = 0; i < RANGES; i++) {
                service.submit(
                        new Range(service, mostOpen, answered), Request.Scan.between(bytes("k"), null, Long.MAX_VALUE));
            }
            engine.blockScans(null);
            gate.open();
            answered.await();

            int workers = 2 * Runtime.getRuntime().availableProcessors();
            assertThat(mostOpen.get())
                    .isBetween(PoolOptions.RANGES_UNDER_WAY / 2, PoolOptions.RANGES_UNDER_WAY + workers);
            service.close();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
