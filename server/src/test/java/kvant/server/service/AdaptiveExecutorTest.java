package kvant.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.server.ExecutorKind;
import kvant.server.MemoryEngine;
import kvant.server.admit.AdmissionOptions;
import kvant.server.admit.AnswerMemory;
import kvant.server.execute.PoolOptions;
import kvant.server.request.Failures;
import kvant.server.request.Outcome;
import kvant.server.request.Request;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdaptiveExecutorTest {

    private static final int RECORDS = 200;
    private static final int LONG = 50_000;
    /// The least that no event loop answers itself.
    private static final int NOT_FEW = 65;
    private static final int WORKERS = Math.max(2, Runtime.getRuntime().availableProcessors());
    private static final int UNDER_WAY = 2 * WORKERS;
    private static final int RANGES = 20 * UNDER_WAY;
    /// With those that are let in beyond the bound, which depends on who is how fast; without a bound all are open.
    private static final int MOST = 3 * RANGES / 4;

    private final MemoryEngine engine = new MemoryEngine();
    private final RequestHandler handler = new RequestHandler(
            engine,
            InstantSource.system(),
            new ServiceOptions(1, 1000, PoolOptions.blocking(1).withQueue(2 * RANGES), null, AdmissionOptions.none()),
            new AnswerMemory(Long.MAX_VALUE / 2),
            ExecutorKind.ADAPTIVE::open);
    private final SerialLoop loop = new SerialLoop();
    private final AtomicInteger mostOpen = new AtomicInteger();
    private final CountDownLatch begun = new CountDownLatch(RANGES);
    private final CountDownLatch answered = new CountDownLatch(RANGES);
    private volatile boolean over;

    /// A range of many rounds.
    private final class Range extends Call {
        private final boolean resumes;
        private final Runnable whenEnded;
        private boolean first = true;

        /// @param resumes whether its client takes what it gets, so that each round follows the one before
        Range(Executor itsLoop, boolean resumes) {
            this(itsLoop, resumes, answered::countDown);
        }

        Range(Executor itsLoop, boolean resumes, Runnable whenEnded) {
            super(handler.mailbox(itsLoop));
            this.resumes = resumes;
            this.whenEnded = whenEnded;
        }

        @Override
        protected void settled(Outcome outcome) {
            mostOpen.accumulateAndGet(handler.openScans(), Math::max);
            if (first) {
                first = false;
                begun.countDown();
            }
            if (((Outcome.Records) outcome).batch().last()) {
                whenEnded.run();
            } else if (resumes && !over) {
                this.resume();
            }
        }
    }

    @BeforeEach
    void load() {
        engine.record(false);
        for (int i = 0; i < RECORDS; i++) {
            engine.load(bytes("k%06d".formatted(i)), bytes("v"));
        }
    }

    @AfterEach
    void close() {
        over = true;
        handler.close();
        loop.close();
        engine.close();
    }

    /// Were all of them begun at once, all would end late.
    @Test
    void rangesWaitWhileManyAreUnderWay() throws Exception {
        MemoryEngine.Gate gate = new MemoryEngine.Gate();
        engine.blockScans(gate);
        submitAll(loop, true);
        engine.blockScans(null);
        gate.open();
        answered.await();

        assertThat(mostOpen.get()).isBetween(UNDER_WAY - WORKERS, MOST);
    }

    /// A batch that its event loop has not got to is work that was begun: a loop that falls behind does not get more
    /// and more of it.
    @Test
    void aRangeIsUnderWayUntilItsLoopHasTheBatch() throws Exception {
        BlockingQueue<Runnable> behind = new LinkedBlockingQueue<>();
        submitAll(behind::add, true);
        while (answered.getCount() > 0) {
            behind.take().run();
        }

        assertThat(mostOpen.get()).isBetween(UNDER_WAY - WORKERS, MOST);
    }

    /// Else an export of a store would have the ranges of all others refused for as long as it takes.
    @Test
    void longRangesDoNotKeepNewOnesOut() throws Exception {
        for (int i = RECORDS; i < LONG; i++) {
            engine.load(bytes("k%06d".formatted(i)), bytes("v"));
        }
        AtomicInteger ended = new AtomicInteger();
        MemoryEngine.Gate gate = new MemoryEngine.Gate();
        engine.blockScans(gate);
        for (int i = 0; i < UNDER_WAY; i++) {
            Range exported = new Range(loop, true, ended::incrementAndGet);
            handler.submit(exported, Request.Scan.between(bytes("k"), null, Long.MAX_VALUE));
        }
        for (int i = 0; i < RANGES; i++) {
            handler.submit(new Range(loop, true), Request.Scan.between(bytes("k"), null, NOT_FEW));
        }
        engine.blockScans(null);
        gate.open();
        answered.await();

        assertThat(ended).as("long ranges that ended before all short ones had").hasValue(0);
    }

    /// Or a few clients that do not read would stop the ranges of all others.
    @Test
    void aRangeThatWaitsForItsClientTakesNoPlace() throws Exception {
        submitAll(loop, false);
        begun.await();

        assertThat(handler.openScans()).isEqualTo(RANGES);
    }

    @Test
    void aShortRangeForWhichThereIsNoMemoryIsRefused() {
        engine.shortRanges(true);
        List<Outcome> outcomes = new ArrayList<>();
        try (RequestHandler poor = new RequestHandler(
                engine,
                InstantSource.system(),
                new ServiceOptions(1, 1000, PoolOptions.blocking(1), null, AdmissionOptions.none()),
                new AnswerMemory(2_000),
                ExecutorKind.ADAPTIVE::open)) {
            for (int i = 0; i < 2; i++) { // of the longest answers one fits, and is held here
                Call call = new Call(poor.mailbox(loop)) {
                    @Override
                    protected void settled(Outcome outcome) {
                        outcomes.add(outcome);
                    }
                };
                poor.submit(call, Request.Scan.between(bytes("k"), null, 50));
            }
        }
        assertThat(outcomes.getFirst()).isInstanceOf(Outcome.Records.class);
        assertThat(outcomes.getLast()).isEqualTo(Failures.OVERLOADED);
    }

    private void submitAll(Executor itsLoop, boolean resumes) {
        for (int i = 0; i < RANGES; i++) {
            handler.submit(new Range(itsLoop, resumes), Request.Scan.between(bytes("k"), null, Long.MAX_VALUE));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
