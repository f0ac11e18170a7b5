package kvant.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GroupCommitTest {

    private static final GroupCommit.Options SMALL = new GroupCommit.Options(4_000, 1 << 20);

    private final GateLog log = new GateLog();
    private GroupCommit commits = new GroupCommit("test-commit", GroupCommit.Options.DEFAULT, log);

    @AfterEach
    void close() {
        log.gate.countDown();
        commits.close();
    }

    @Test
    void everyWriteOfManyThreadsIsSettledOnceInItsThreadsOrder() {
        log.gate.countDown();
        int perThread = 1_000;
        Crew.runAll(6, number -> {
            RecordingSink sink = new RecordingSink();
            for (int i = 0; i < perThread; i++) {
                commits.submit(write(number + "/" + i, sink));
            }
            sink.awaitCompleted(perThread);
            List<Write> completed = sink.completed();
            for (int i = 0; i < perThread; i++) {
                assertThat(nameOf(completed.get(i))).isEqualTo(number + "/" + i);
                assertThat(completed.get(i).outcome()).isEqualTo(Write.Outcome.APPLIED);
            }
        });
        assertThat(log.committed).hasSize(6 * perThread).doesNotHaveDuplicates();
        await().until(() -> commits.pendingBytes() == 0);
    }

    @Test
    void whatDoesNotFitIsRefusedAsBusyAtOnce() {
        restart(SMALL);
        RecordingSink sink = new RecordingSink();
        int accepted = 0;
        Write last;
        do {
            last = write("" + accepted, sink);
            commits.submit(last);
            accepted++;
        } while (last.outcome() == Write.Outcome.PENDING && accepted < 100);
        accepted--;
        assertThat(last.failure()).isInstanceOf(EngineException.Busy.class);
        assertThat(sink.completed()).containsExactly(last);
        assertThat(sink.wakes()).isEqualTo(1);
        assertThat(accepted).isBetween(2, 16);
        assertThat(commits.pendingBytes()).isLessThanOrEqualTo(SMALL.maxPendingBytes());

        log.gate.countDown();
        sink.awaitCompleted(accepted + 1);
        assertThat(log.committed).hasSize(accepted);
        await().until(() -> commits.pendingBytes() == 0);
        commits.submit(write("again", sink));
        sink.awaitCompleted(accepted + 2);
        assertThat(sink.completed().getLast().outcome()).isEqualTo(Write.Outcome.APPLIED);
    }

    @Test
    void aWriteLargerThanEveryBoundIsCommittedAlone() {
        restart(new GroupCommit.Options(100, 100));
        log.gate.countDown();
        RecordingSink sink = new RecordingSink();
        commits.submit(new Write(WriteBatch.of(Samples.put("large", "v".repeat(10_000))), sink));
        sink.awaitCompleted(1);
        assertThat(sink.completed().getFirst().outcome()).isEqualTo(Write.Outcome.APPLIED);
    }

    @Test
    void aGroupEndsAtItsBound() {
        long bytes = write("00", new RecordingSink()).batch().bytes();
        restart(new GroupCommit.Options(1 << 20, 3 * bytes));
        RecordingSink sink = new RecordingSink();
        submitBehindTheGate(sink, 10);
        log.gate.countDown();
        sink.awaitCompleted(11);
        assertThat(log.groupSizes).containsExactly(1, 3, 3, 3, 1);
    }

    @Test
    void eachGroupKnowsWhenItsOldestWriteCame() {
        long bytes = write("00", new RecordingSink()).batch().bytes();
        restart(new GroupCommit.Options(1 << 20, 3 * bytes));
        RecordingSink sink = new RecordingSink();
        long before = System.nanoTime();
        submitBehindTheGate(sink, 10);
        assertThat(commits.pendingWrites()).isEqualTo(11);
        long after = System.nanoTime();
        log.gate.countDown();
        sink.awaitCompleted(11);
        assertThat(log.queuedNanos).hasSize(5).allSatisfy(nanos -> {
            assertThat(nanos - before).isNotNegative();
            assertThat(after - nanos).isNotNegative();
        });
        await().until(() -> commits.pendingWrites() == 0);
    }

    @Test
    void eachSinkIsWokenOnceForAGroup() {
        RecordingSink one = new RecordingSink();
        RecordingSink two = new RecordingSink();
        RecordingSink first = new RecordingSink();
        submitBehindTheGate(first, 0);
        for (int i = 0; i < 10; i++) {
            commits.submit(write("one" + i, one));
            commits.submit(write("two" + i, two));
        }
        log.gate.countDown();
        one.awaitCompleted(10);
        two.awaitCompleted(10);
        one.awaitWoken();
        two.awaitWoken();
        assertThat(log.groupSizes).containsExactly(1, 20);
        assertThat(one.wakes()).isEqualTo(1);
        assertThat(two.wakes()).isEqualTo(1);
    }

    @Test
    void closeCommitsWhatWasAcceptedAndFinishesTheLog() {
        RecordingSink sink = new RecordingSink();
        submitBehindTheGate(sink, 100);
        log.gate.countDown();
        commits.close();
        assertThat(sink.completed()).hasSize(101);
        assertThat(log.committed).hasSize(101);
        assertThat(log.finished).hasValue(1);
        commits.close();
        assertThat(log.finished).hasValue(1);
    }

    @Test
    void aClosedOneFailsWritesAtOnce() {
        log.gate.countDown();
        commits.close();
        RecordingSink sink = new RecordingSink();
        commits.submit(write("late", sink));
        assertThat(sink.completed().getFirst().failure()).isInstanceOf(EngineException.Closed.class);
        assertThat(sink.wakes()).isEqualTo(1);
        assertThat(log.committed).isEmpty();
    }

    @Test
    void writesBesideACloseAreEitherCommittedOrFailed() {
        log.gate.countDown();
        List<RecordingSink> sinks = List.of(new RecordingSink(), new RecordingSink(), new RecordingSink());
        AtomicInteger applied = new AtomicInteger();
        Crew.runAll(4, number -> {
            if (number == 3) {
                await().until(() -> !log.committed.isEmpty());
                commits.close();
                return;
            }
            int submitted = 0;
            Write last;
            do {
                last = write(number + "/" + submitted++, sinks.get(number));
                commits.submit(last);
                sinks.get(number).awaitCompleted(submitted);
                applied.addAndGet(last.outcome() == Write.Outcome.APPLIED ? 1 : 0);
            } while (last.failure() == null);
            assertThat(last.failure()).isInstanceOf(EngineException.Closed.class);
        });
        assertThat(log.committed).hasSize(applied.get());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLogThatThrowsFailsItsGroupAndNothingElse(boolean error) {
        log.gate.countDown();
        RecordingSink sink = new RecordingSink();
        log.thrown.set(error ? new InternalError("on purpose") : new IllegalStateException("on purpose"));
        commits.submit(write("bad", sink));
        sink.awaitCompleted(1);
        assertThat(sink.completed().getFirst().failure()).isInstanceOf(EngineException.Io.class);
        log.thrown.set(null);
        commits.submit(write("good", sink));
        sink.awaitCompleted(2);
        assertThat(sink.completed().getLast().outcome()).isEqualTo(Write.Outcome.APPLIED);
        sink.awaitWoken();
    }

    @Test
    void aLogThatForgetsAWriteFailsIt() {
        log.gate.countDown();
        log.forgets = true;
        RecordingSink sink = new RecordingSink();
        commits.submit(write("forgotten", sink));
        sink.awaitCompleted(1);
        assertThat(sink.completed().getFirst().failure()).isInstanceOf(EngineException.Io.class);
    }

    @Test
    void aLogThatCannotSayWhenIdleIsDueHarmsNobody() {
        log.gate.countDown();
        log.idleDueThrows = true;
        RecordingSink sink = new RecordingSink();
        for (int i = 0; i < 10; i++) {
            commits.submit(write("key" + i, sink));
            sink.awaitCompleted(i + 1);
        }
    }

    @Test
    void idleIsCalledWhenDueAlsoWhileWritesNeverCease() {
        log.gate.countDown();
        AtomicBoolean stop = new AtomicBoolean();
        AtomicReference<CompletionSink> endless = new AtomicReference<>();
        endless.set(new CompletionSink() {
            @Override
            public void completed(Write write) {
                if (!stop.get()) {
                    commits.submit(write("endless", endless.get()));
                }
            }

            @Override
            public void wake() {}
        });
        log.idleDueNanos = 0;
        commits.submit(write("endless", endless.get()));
        await().until(() -> log.committed.size() > 100);
        int before = log.idlesRightAfterAGroup.get();
        try {
            await().until(() -> log.idlesRightAfterAGroup.get() > before + 10);
        } finally {
            stop.set(true);
        }
    }

    @Test
    void idleIsCalledWhenDueWithoutWrites() {
        log.gate.countDown();
        log.idleDueNanos = 1_000_000;
        commits.submit(write("first", new RecordingSink()));
        await().until(() -> log.idles.get() > 3);
    }

    /// The log may park for reasons of its own, which uses up the permit with which a close wakes the thread.
    @Test
    void closeIsNotMissedByALogThatParks() {
        log.gate.countDown();
        log.idleDueNanos = 1_000_000; // so that the thread comes by without a write
        commits.submit(write("first", new RecordingSink()));
        await().until(() -> log.idles.get() > 0);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        log.beforeIdleDue = () -> {
            asked.countDown();
            awaitUninterruptibly(closing);
            LockSupport.parkNanos(1_000_000);
            log.idleDueNanos = Long.MAX_VALUE;
        };
        awaitUninterruptibly(asked);
        try (Crew crew = new Crew()) {
            AtomicReference<Thread> closer = new AtomicReference<>(Thread.currentThread());
            crew.start(() -> {
                closer.set(Thread.currentThread());
                commits.close();
                return closer;
            });
            await().until(() ->
                    closer.get() != Thread.currentThread() && closer.get().getState() == Thread.State.WAITING);
            closing.countDown();
            crew.join();
        }
        assertThat(log.finished).hasValue(1);
    }

    @Test
    void theCommitThreadCannotCloseItself() {
        log.gate.countDown();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        CountDownLatch done = new CountDownLatch(1);
        commits.submit(write("key", new CompletionSink() {
            @Override
            public void completed(Write write) {
                try {
                    commits.close();
                } catch (IllegalStateException e) {
                    thrown.set(e);
                }
                done.countDown();
            }

            @Override
            public void wake() {}
        }));
        awaitUninterruptibly(done);
        assertThat(thrown.get()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aWriteCannotBeSettledTwice() {
        Write write = write("key", new RecordingSink());
        write.applied(1);
        assertThatThrownBy(write::refused).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> write.applied(2)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> write.failed(new EngineException.Closed())).isInstanceOf(IllegalStateException.class);
        assertThat(write.outcome()).isEqualTo(Write.Outcome.APPLIED);
        assertThat(write.version()).isEqualTo(1);
        assertThat(write.failure()).isNull();
    }

    private void restart(GroupCommit.Options options) {
        commits.close();
        log.finished.set(0);
        commits = new GroupCommit("test-commit", options, log);
    }

    /// The first write holds the commit thread at the gate, so that the others gather behind it.
    private void submitBehindTheGate(RecordingSink sink, int count) {
        commits.submit(write("ga", sink));
        await().until(() -> log.waiting);
        for (int i = 0; i < count; i++) {
            commits.submit(write(String.format("%02d", i % 100), sink));
        }
    }

    private static Write write(String name, CompletionSink sink) {
        return new Write(WriteBatch.of(Samples.put(name, "")), sink);
    }

    private static String nameOf(Write write) {
        return Samples.text(write.batch().mutations().getFirst().key());
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /// A log in memory that commits nothing before its gate opens, and misbehaves on request.
    private static final class GateLog implements GroupCommit.Log {
        final CountDownLatch gate = new CountDownLatch(1);
        final List<Write> committed = Collections.synchronizedList(new ArrayList<>());
        final List<Integer> groupSizes = Collections.synchronizedList(new ArrayList<>());
        final List<Long> queuedNanos = Collections.synchronizedList(new ArrayList<>());
        final AtomicInteger idles = new AtomicInteger();
        final AtomicInteger idlesRightAfterAGroup = new AtomicInteger();
        final AtomicInteger finished = new AtomicInteger();
        final AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        volatile boolean waiting;
        volatile boolean forgets;
        volatile boolean idleDueThrows;
        volatile long idleDueNanos = Long.MAX_VALUE;
        volatile Runnable beforeIdleDue = () -> {};
        private boolean lastWasGroup;
        private long version;

        @Override
        public void commit(List<Write> group) {
            waiting = true;
            awaitUninterruptibly(gate);
            lastWasGroup = true;
            switch (thrown.get()) {
                case null -> {}
                case Error error -> throw error;
                case RuntimeException exception -> throw exception;
                case Throwable other -> throw new AssertionError(other);
            }
            if (forgets) {
                return;
            }
            groupSizes.add(group.size());
            queuedNanos.add(group.getFirst().queuedNanos());
            for (Write write : group) {
                committed.add(write);
                write.applied(++version);
            }
        }

        @Override
        public long idleDueNanos() {
            beforeIdleDue.run();
            if (idleDueThrows) {
                throw new IllegalStateException("on purpose");
            }
            return idleDueNanos;
        }

        @Override
        public void idle() {
            idles.incrementAndGet();
            if (lastWasGroup) {
                idlesRightAfterAGroup.incrementAndGet();
            }
            lastWasGroup = false;
        }

        @Override
        public void finish() {
            finished.incrementAndGet();
        }
    }
}
