package kvant.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CommitQueueTest {

    private static final long FOREVER = Long.MAX_VALUE;
    private final CommitQueue queue = new CommitQueue(1_000_000);

    @Test
    void handsOutEverythingInTheOrderOfArrival() {
        for (int i = 0; i < 5; i++) {
            assertThat(queue.offer(write("" + i))).isEqualTo(CommitQueue.Offer.ACCEPTED);
        }
        assertThat(names(queue.takeAll(0, 1, 0))).containsExactly("0", "1", "2", "3", "4");
        assertThat(queue.takeAll(0, 1, 0)).isNull();
    }

    @Test
    void anEmptyQueueWaitsNoLongerThanAsked() {
        assertThat(queue.takeAll(1_000_000, 1, 0)).isNull();
        assertThat(queue.takeAll(0, 1, 0)).isNull();
        assertThat(queue.takeAll(-1, 1, 0)).isNull();
    }

    @Test
    void anOfferWakesTheTaker() {
        AtomicReference<List<String>> taken = new AtomicReference<>(List.of());
        AtomicReference<@Nullable Thread> taker = new AtomicReference<>();
        try (Crew crew = new Crew()) {
            crew.start(() -> {
                taker.set(Thread.currentThread());
                Write first = null;
                while (first == null) {
                    first = queue.takeAll(FOREVER, 1, 0);
                }
                taken.set(names(first));
                return taken;
            });
            awaitAsleep(taker);
            queue.offer(write("a"));
            crew.join();
        }
        assertThat(taken.get()).containsExactly("a");
    }

    @Test
    void theTakerSleepsUntilAGroupIsThere() throws Exception {
        queue.offer(write("a"));
        AtomicReference<@Nullable Thread> taker = new AtomicReference<>();
        try (Crew crew = new Crew()) {
            crew.start(() -> {
                taker.set(Thread.currentThread());
                assertThat(names(queue.takeAll(0, 3, FOREVER))).containsExactly("a", "b", "c");
                return taker;
            });
            awaitAsleep(taker);
            queue.offer(write("b"));
            awaitAsleep(taker);
            queue.offer(write("c"));
            crew.join();
        }
    }

    private static void awaitAsleep(AtomicReference<@Nullable Thread> taker) {
        await().until(() -> {
            Thread thread = taker.get();
            return thread != null && thread.getState() == Thread.State.TIMED_WAITING;
        });
    }

    @Test
    void aGroupThatIsThereIsNotWaitedFor() {
        queue.offer(write("a"));
        queue.offer(write("b"));

        assertThat(names(queue.takeAll(FOREVER, 2, FOREVER))).containsExactly("a", "b");
    }

    @Test
    void aGroupThatDoesNotComeIsTakenAsItIs() {
        queue.offer(write("a"));

        assertThat(names(queue.takeAll(FOREVER, 2, 1))).containsExactly("a");
    }

    @Test
    void turnsAwayWhatIsBeyondTheBound() {
        long charge = chargeOf(write("a"));
        CommitQueue small = new CommitQueue(3 * charge);
        List<CommitQueue.Offer> offers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            offers.add(small.offer(write("" + i)));
        }
        assertThat(offers)
                .containsExactly(
                        CommitQueue.Offer.ACCEPTED,
                        CommitQueue.Offer.ACCEPTED,
                        CommitQueue.Offer.ACCEPTED,
                        CommitQueue.Offer.FULL);
        assertThat(small.pendingBytes()).isEqualTo(3 * charge);
        assertThat(names(small.takeAll(0, 1, 0))).containsExactly("0", "1", "2");
    }

    @Test
    void takenWritesCountUntilTheyAreReleased() {
        long charge = chargeOf(write("a"));
        CommitQueue small = new CommitQueue(charge);
        small.offer(write("a"));
        Write taken = small.takeAll(0, 1, 0);
        assertThat(small.offer(write("b"))).isEqualTo(CommitQueue.Offer.FULL);
        assertThat(taken).isNotNull();
        if (taken != null) {
            small.release(taken);
        }
        assertThat(small.pendingBytes()).isZero();
        assertThat(small.offer(write("b"))).isEqualTo(CommitQueue.Offer.ACCEPTED);
    }

    @Test
    void oneWriteAlwaysFitsAnEmptyQueue() {
        CommitQueue tiny = new CommitQueue(1);
        assertThat(tiny.offer(write("large"))).isEqualTo(CommitQueue.Offer.ACCEPTED);
        assertThat(tiny.offer(write("x"))).isEqualTo(CommitQueue.Offer.FULL);
    }

    @Test
    void aClosedQueueTakesNothingMoreAndHandsOutWhatItHad() {
        queue.offer(write("a"));
        queue.offer(write("b"));
        assertThat(names(queue.close())).containsExactly("a", "b");
        assertThat(queue.offer(write("c"))).isEqualTo(CommitQueue.Offer.CLOSED);
        assertThat(queue.takeAll(FOREVER, 1, 0)).isNull();
        assertThat(queue.close()).isNull();
    }

    @Test
    void manyThreadsLoseNothingAndKeepTheirOrder() {
        int threads = 4;
        int perThread = 3_000;
        int[] seen = new int[threads];
        AtomicInteger total = new AtomicInteger();
        Crew.runAll(threads + 1, number -> {
            if (number < threads) {
                for (int i = 0; i < perThread; i++) {
                    Write write = write(number + "/" + i);
                    while (queue.offer(write) == CommitQueue.Offer.FULL) {
                        Thread.yield();
                    }
                }
                return;
            }
            while (total.get() < threads * perThread) {
                Write next = queue.takeAll(1_000_000, 1, 0);
                while (next != null) {
                    Write following = next.next;
                    String[] name = nameOf(next).split("/");
                    int thread = Integer.parseInt(name[0]);
                    assertThat(Integer.parseInt(name[1])).isEqualTo(seen[thread]++);
                    total.incrementAndGet();
                    queue.release(next);
                    next = following;
                }
            }
        });
        assertThat(seen).containsOnly(perThread);
        assertThat(queue.pendingBytes()).isZero();
    }

    private static long chargeOf(Write write) {
        CommitQueue measure = new CommitQueue(Long.MAX_VALUE);
        measure.offer(write);
        return measure.pendingBytes();
    }

    private static Write write(String name) {
        return new Write(WriteBatch.of(Samples.put(name, "")), new RecordingSink());
    }

    private static List<String> names(@Nullable Write first) {
        List<String> names = new ArrayList<>();
        for (Write write = first; write != null; write = write.next) {
            names.add(nameOf(write));
        }
        return names;
    }

    private static String nameOf(Write write) {
        return Samples.text(write.batch().mutations().getFirst().key());
    }
}
