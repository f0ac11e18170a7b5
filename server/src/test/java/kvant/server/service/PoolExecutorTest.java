package kvant.server.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import kvant.server.ExecutorKind;
import kvant.server.MemoryEngine;
import kvant.server.admit.AdmissionOptions;
import kvant.server.admit.AnswerMemory;
import kvant.server.execute.PoolExecutor;
import kvant.server.execute.PoolOptions;
import kvant.server.request.Outcome;
import kvant.server.request.Precondition;
import kvant.server.request.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Queue and overflow side by side.
class PoolExecutorTest {

    private static final int ROUNDS = 50_000;

    /// Resumes a range as soon as a round is settled, on the worker, so that the overflow is never empty.
    private static final class Hungry extends Call {
        private final RequestHandler handler;
        private final AtomicInteger rounds = new AtomicInteger();
        private final CountDownLatch ended = new CountDownLatch(1);

        Hungry(CompletionQueue mailbox, RequestHandler handler) {
            super(mailbox);
            this.handler = handler;
        }

        @Override
        protected void settled(Outcome settledAs) {
            rounds.incrementAndGet();
            if (settledAs instanceof Outcome.Records records && !records.batch().last()) {
                this.resume();
            } else {
                ended.countDown();
            }
        }
    }

    private static final class Single extends Call {
        private final AtomicBoolean before;
        private final Hungry other;
        private final CountDownLatch ended = new CountDownLatch(1);

        Single(CompletionQueue mailbox, Hungry other, AtomicBoolean before) {
            super(mailbox);
            this.other = other;
            this.before = before;
        }

        @Override
        protected void settled(Outcome settledAs) {
            before.set(other.ended.getCount() > 0);
            ended.countDown();
        }
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
            RequestHandler handler = handler(engine, pool, AdmissionOptions.none());
            Hungry hungry = new Hungry(handler.mailbox(Runnable::run), handler);
            handler.submit(hungry, Request.Scan.between(key("k"), null, Long.MAX_VALUE));
            AtomicBoolean before = new AtomicBoolean();
            Single single = new Single(handler.mailbox(Runnable::run), hungry, before);
            handler.submit(single, new Request.Get(key("k000001"), Precondition.Plain.NONE));
            engine.blockScans(null);
            gate.open();
            single.ended.await();
            assertThat(before).as("answered before the range ended").isTrue();
            hungry.ended.await();
            assertThat(hungry.rounds).hasValueGreaterThan(ROUNDS - 1);
            handler.close();
        }
    }

    /// Tells that it was answered.
    private static class Counted extends Call {
        private final CountDownLatch answered;

        Counted(CompletionQueue mailbox, CountDownLatch answered) {
            super(mailbox);
            this.answered = answered;
        }

        @Override
        protected void settled(Outcome settledAs) {
            if (settledAs instanceof Outcome.Records records && !records.batch().last()) {
                return; // between its rounds
            }
            assertThat(settledAs).isNotInstanceOf(Outcome.Failed.class);
            answered.countDown();
        }
    }

    @ParameterizedTest
    @EnumSource(PoolOptions.Order.class)
    void forcedCallsDoNotTakeThePlacesOfOthers(PoolOptions.Order order) throws Exception {
        try (MemoryEngine engine = new MemoryEngine()) {
            MemoryEngine.Gate gate = new MemoryEngine.Gate();
            engine.blockScans(gate);
            PoolOptions pool = PoolOptions.classic(1).withQueue(2).with(p -> p.order = order);
            RequestHandler handler = handler(engine, pool, AdmissionOptions.none());
            CompletionQueue mailbox = handler.mailbox(Runnable::run);
            int forced = 100;
            CountDownLatch answered = new CountDownLatch(1 + forced + 2);
            handler.submit(new Counted(mailbox, answered), Request.Scan.between(key("k"), null, 1));
            await().until(() -> gate.waiting() == 1);
            for (int i = 0; i < forced; i++) {
                handler.submit(new Counted(mailbox, answered), Request.Probe.READY);
            }
            for (int i = 0; i < 2; i++) {
                handler.submit(new Counted(mailbox, answered), new Request.Get(key("k"), Precondition.Plain.NONE));
            }
            engine.blockScans(null);
            gate.open();
            assertThat(answered.await(10, TimeUnit.SECONDS))
                    .as("all are answered")
                    .isTrue();
            handler.close();
        }
    }

    @Test
    void aForcedCallForEachWorkerWakesThemAll() throws Exception {
        int workers = 4;
        try (MemoryEngine engine = new MemoryEngine();
                SerialLoop loop = new SerialLoop()) {
            MemoryEngine.Gate gate = new MemoryEngine.Gate();
            engine.blockScans(gate);
            CompletionQueue mailbox = mailbox(engine, loop);
            PoolExecutor pool = pool(PoolOptions.classic(workers));
            CountDownLatch answered = new CountDownLatch(workers);
            for (int i = 0; i < workers; i++) {
                Counted call = new Counted(mailbox, answered);
                call.begin(Request.Scan.between(key("k"), null, 1));
                pool.force(call);
            }
            await().until(() -> gate.waiting() == workers); // all at a time, or never
            gate.open();
            assertThat(answered.await(10, TimeUnit.SECONDS)).isTrue();
            pool.close();
        }
    }

    static Stream<PoolOptions> queues() {
        PoolOptions four = PoolOptions.classic(4);
        return Stream.of(
                four,
                four.withQueue(PoolOptions.UNBOUNDED),
                four.with(p -> p.order = PoolOptions.Order.LIFO),
                four.with(p -> p.order = PoolOptions.Order.ADAPTIVE));
    }

    /// However the last calls came, and whether workers sleep, wake or have just been woken.
    @ParameterizedTest
    @MethodSource("queues")
    void closingEndsAllWorkers(PoolOptions options) throws Exception {
        try (MemoryEngine engine = new MemoryEngine();
                SerialLoop loop = new SerialLoop()) {
            engine.record(false);
            CompletionQueue mailbox = mailbox(engine, loop);
            for (int round = 0; round < 500; round++) {
                PoolExecutor pool = pool(options);
                int calls = round % 7;
                CountDownLatch answered = new CountDownLatch(calls);
                for (int i = 0; i < calls; i++) {
                    Counted call = new Counted(mailbox, answered);
                    if (i % 2 == 0) {
                        call.begin(Request.Scan.between(key("k"), null, 1));
                        pool.force(call);
                    } else {
                        submit(pool, call, new Request.Get(key("k"), Precondition.Plain.NONE));
                    }
                }
                answered.await();
                pool.close(); // says who is left after two seconds
                assertThat(threads()).noneMatch(name -> name.matches("kvant-worker-\\d+"));
            }
        }
    }

    /// Names only: with their stacks every one would have to stop.
    private static List<String> threads() {
        Thread[] found = new Thread[2 * Thread.activeCount() + 10];
        int count = Thread.enumerate(found);
        return Stream.of(found).limit(count).map(Thread::getName).toList();
    }

    /// A nudge is put where the newest are: it must not have the turn of the calls behind it.
    @ParameterizedTest
    @EnumSource(
            value = PoolOptions.Order.class,
            names = {"FIFO", "LIFO"})
    void forcedCallsDoNotTakeTheTurnsOfOthers(PoolOptions.Order order) throws Exception {
        int forced = 100;
        try (MemoryEngine engine = new MemoryEngine();
                SerialLoop loop = new SerialLoop()) {
            MemoryEngine.Gate gate = new MemoryEngine.Gate();
            engine.blockScans(gate);
            CompletionQueue mailbox = mailbox(engine, loop);
            PoolExecutor pool = pool(PoolOptions.classic(1).with(p -> p.order = order));
            CountDownLatch before = new CountDownLatch(forced + 1);
            CountDownLatch queued = new CountDownLatch(1);
            AtomicInteger left = new AtomicInteger();
            submit(pool, new Counted(mailbox, before), Request.Scan.between(key("k"), null, 1));
            await().until(() -> gate.waiting() == 1);
            submit(
                    pool,
                    new Counted(mailbox, queued) {
                        @Override
                        protected void settled(Outcome settledAs) {
                            left.set((int) before.getCount());
                            super.settled(settledAs);
                        }
                    },
                    new Request.Get(key("k"), Precondition.Plain.NONE));
            for (int i = 0; i < forced; i++) {
                Counted call = new Counted(mailbox, before);
                call.begin(Request.Scan.between(key("k"), null, 1));
                pool.force(call);
            }
            engine.blockScans(null);
            gate.open();
            queued.await();
            assertThat(left).as("forced calls after it").hasValueGreaterThan(forced / 2);
            before.await();
            pool.close();
        }
    }

    /// Behind so many others a call waits in vain, unless more workers may come, or the caller may run it.
    @Test
    void aStandingQueueRefusesAtOnceWhomNobodyElseCanServe() throws Exception {
        PoolOptions one = PoolOptions.classic(1).withQueue(100);
        assertThat(acceptedWhileStanding(one)).isEqualTo(1 + 4);
        assertThat(acceptedWhileStanding(one.with(p -> p.maxWorkers = 2))).isEqualTo(20);
        assertThat(acceptedWhileStanding(one.with(p -> p.onFull = PoolOptions.OnFull.CALLER)))
                .isEqualTo(20);
    }

    /// Of twenty calls, while the worker is busy with the first one.
    private static int acceptedWhileStanding(PoolOptions pool) throws Exception {
        // The queue counts as standing once a call waits, and no wait is too long.
        AdmissionOptions standing = new AdmissionOptions(Duration.ZERO, Duration.ofHours(1), Duration.ZERO, false);
        try (MemoryEngine engine = new MemoryEngine();
                SerialLoop loop = new SerialLoop()) {
            MemoryEngine.Gate gate = new MemoryEngine.Gate();
            engine.blockReads(gate);
            RequestHandler handler = handler(engine, pool, standing);
            CompletionQueue mailbox = handler.mailbox(loop);
            AtomicInteger refused = new AtomicInteger();
            CountDownLatch ended = new CountDownLatch(20);
            for (int i = 0; i < 20; i++) {
                handler.submit(
                        new Counted(mailbox, ended) {
                            @Override
                            protected void settled(Outcome settledAs) {
                                if (settledAs instanceof Outcome.Failed) {
                                    refused.incrementAndGet();
                                }
                                ended.countDown();
                            }
                        },
                        new Request.Get(key("k"), Precondition.Plain.NONE));
                if (i == 0) {
                    await().until(() -> gate.waiting() == 1);
                }
            }
            engine.blockReads(null);
            gate.open();
            ended.await();
            handler.close();
            return 20 - refused.get();
        }
    }

    private static RequestHandler handler(MemoryEngine engine, PoolOptions pool, AdmissionOptions admission) {
        return new RequestHandler(
                engine,
                InstantSource.system(),
                new ServiceOptions(1, 1000, pool, null, admission),
                new AnswerMemory(Long.MAX_VALUE / 2),
                ExecutorKind.ASYNC::open);
    }

    /// Of calls that a test gives to a pool itself, because no request is forced from outside.
    private static CompletionQueue mailbox(MemoryEngine engine, SerialLoop loop) {
        ServiceOptions unused = new ServiceOptions(1, 1000, PoolOptions.classic(1), null, AdmissionOptions.none());
        return new RequestHandler(
                        engine,
                        InstantSource.system(),
                        unused,
                        new AnswerMemory(Long.MAX_VALUE / 2),
                        ExecutorKind.SYNC::open)
                .mailbox(loop);
    }

    private static PoolExecutor pool(PoolOptions options) {
        return PoolExecutor.started("kvant-worker", options, AdmissionOptions.none());
    }

    private static void submit(PoolExecutor pool, Call call, Request request) {
        call.begin(request);
        call.queuedAt(System.nanoTime());
        call.deadlineNanos = Long.MAX_VALUE;
        assertThat(pool.submit(call)).isTrue();
    }

    private static byte[] key(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
