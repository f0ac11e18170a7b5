package kvant.engine.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.engine.Crew;
import kvant.engine.Samples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The order of shared and lone turns: which may run at the same time, and that each turn comes.
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KeyedSerializerTest {

    private static final int MANY = 100_000;

    private final KeyedSerializer order = new KeyedSerializer();
    private final List<String> gone = new ArrayList<>();

    private class Named extends KeyedSerializer.Turn {

        private final String name;

        Named(String name, boolean alone, int... lines) {
            super(lines, alone);
            this.name = name;
        }

        @Override
        protected void go() {
            gone.add(name);
        }
    }

    /// Ends within its own turn.
    private class Brief extends KeyedSerializer.Turn {

        private final AtomicInteger ended;

        Brief(AtomicInteger ended, int... lines) {
            super(lines, true);
            this.ended = ended;
        }

        @Override
        protected void go() {
            ended.incrementAndGet();
            order.leave(this);
        }
    }

    @Test
    void sharedTurnsGoSideBySide() {
        enter("a", false, 1);
        enter("b", false, 1);
        assertThat(gone).containsExactly("a", "b");
    }

    @Test
    void aLoneTurnWaitsForThoseBeforeItAndHoldsUpThoseAfterIt() {
        Named a = enter("a", false, 1);
        Named b = enter("b", false, 1);
        Named lone = enter("lone", true, 1);
        enter("c", false, 1);
        enter("elsewhere", true, 2);
        assertThat(gone).containsExactly("a", "b", "elsewhere");
        order.leave(a);
        assertThat(gone).doesNotContain("lone");
        order.leave(b);
        assertThat(gone).endsWith("lone");
        order.leave(lone);
        assertThat(gone).endsWith("c");
    }

    /// While a turn waits for one of its keys, no later turn passes it at another.
    @Test
    void aTurnStandsInAllItsLinesFromTheBeginning() {
        Named two = enter("two", true, 2);
        Named batch = enter("batch", true, 1, 2, 3);
        enter("one", false, 1);
        enter("three", false, 3);
        assertThat(gone).containsExactly("two");
        order.leave(two);
        assertThat(gone).containsExactly("two", "batch");
        order.leave(batch);
        assertThat(gone).containsExactly("two", "batch", "one", "three");
    }

    @Test
    void turnsWhoseLinesCrossDoNotWaitForEachOtherForEver() {
        Named first = enter("first", true, 1, 2);
        Named second = enter("second", true, 2, 3);
        enter("third", true, 1, 3);
        assertThat(gone).containsExactly("first");
        order.leave(first);
        assertThat(gone).containsExactly("first", "second");
        order.leave(second);
        assertThat(gone).containsExactly("first", "second", "third");
    }

    @Test
    void leavingTwiceIsLeavingOnce() {
        Named first = enter("first", true, 1);
        Named second = enter("second", true, 1);
        enter("third", true, 1);
        order.leave(first);
        order.leave(first);
        assertThat(gone).containsExactly("first", "second");
        order.leave(second);
        assertThat(gone).containsExactly("first", "second", "third");
    }

    @Test
    void aPlaceIsToldOfBeforeTheTurn() {
        Named before = enter("before", true, 1);
        order.enter(new KeyedSerializer.Turn(new int[] {1}, true) {
            @Override
            protected void placed() {
                gone.add("placed");
            }

            @Override
            protected void go() {
                gone.add("gone");
            }
        });
        assertThat(gone).containsExactly("before");
        order.leave(before);
        assertThat(gone).containsExactly("before", "placed", "gone");
    }

    /// Each of them ends within its own turn, which calls the next one: the stack must not grow with them.
    @Test
    void anyNumberMayWaitForTurnsThatEndAtOnce() {
        AtomicInteger ended = new AtomicInteger();
        Named first = enter("first", true, 1);
        for (int i = 0; i < MANY; i++) {
            order.enter(new Brief(ended, 1));
        }
        assertThat(ended).hasValue(0);
        order.leave(first);
        assertThat(ended).hasValue(MANY);
        enter("a later one of the key", true, 1);
        assertThat(gone).endsWith("a later one of the key");
    }

    @Test
    void turnsThatThrowHoldUpNobody() {
        AtomicInteger ended = new AtomicInteger();
        Named first = enter("first", true, 1);
        for (int i = 0; i < 100; i++) {
            order.enter(i % 3 == 0 ? new Throwing(1) : new Brief(ended, 1));
        }
        order.leave(first);
        assertThat(ended).hasValue(66);
        assertThatThrownBy(() -> order.enter(new Throwing(1))).hasMessage("thrown on purpose");
        enter("a later one of the key", true, 1);
        assertThat(gone).endsWith("a later one of the key");
    }

    private static final class Throwing extends KeyedSerializer.Turn {

        Throwing(int... lines) {
            super(lines, true);
        }

        @Override
        protected void go() {
            throw new IllegalStateException("thrown on purpose");
        }
    }

    /// Threads that meet in a few lines: each turn that is alone is alone, and all of them come.
    @Test
    void everyTurnOfManyThreadsComesAndLoneOnesAreAlone() throws InterruptedException {
        int threads = 4;
        int perThread = 20_000;
        int[] under = new int[4]; // guarded by the turns themselves
        CountDownLatch left = new CountDownLatch(threads * perThread);
        AtomicInteger broken = new AtomicInteger();
        Crew.runAll(threads, number -> {
            for (int i = 0; i < perThread; i++) {
                int line = (number + i) % 3;
                order.enter(new KeyedSerializer.Turn(i % 5 == 0 ? new int[] {line, line + 1} : new int[] {line}, true) {
                    @Override
                    protected void go() {
                        if (++under[line] != 1) {
                            broken.incrementAndGet();
                        }
                        under[line]--;
                        order.leave(this);
                        left.countDown();
                    }
                });
            }
        });
        assertThat(left.await(Samples.timeoutNanos(), TimeUnit.NANOSECONDS)).isTrue();
        assertThat(broken).hasValue(0);
    }

    /// One thread makes a turn ready while another one has called the last that was ready, and looks no more.
    @Test
    void aTurnThatBecomesReadyWhileAnotherThreadEndsItsCallsIsCalled() throws InterruptedException {
        AtomicInteger arrivals = new AtomicInteger();
        AtomicInteger called = new AtomicInteger();
        AtomicInteger expected = new AtomicInteger();
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        AtomicInteger more = new AtomicInteger(1);
        Crew.runAll(2, number -> {
            int meetings = 0;
            while (more.get() > 0) {
                Named first = new Named("first", true, number) {
                    @Override
                    protected void go() {}
                };
                order.enter(first);
                order.enter(new Brief(called, number));
                expected.incrementAndGet();
                meet(arrivals, ++meetings);
                order.leave(first); // calls the one behind it
                meet(arrivals, ++meetings);
                if (number == 0 && (called.get() != expected.get() || System.nanoTime() > endNanos)) {
                    more.set(0);
                }
                meet(arrivals, ++meetings);
            }
        });
        assertThat(called).hasValue(expected.get());
    }

    /// Without parking, so that both threads continue within nanoseconds.
    private static void meet(AtomicInteger arrivals, int meetings) {
        arrivals.incrementAndGet();
        for (int spins = 0; arrivals.get() < 2 * meetings; spins++) {
            if (spins % 1000 == 999) {
                Thread.yield(); // on a single processor
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private Named enter(String name, boolean alone, int... lines) {
        Named turn = new Named(name, alone, lines);
        order.enter(turn);
        return turn;
    }
}
