package kvant.bench.published;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import kvant.engine.Cursor;
import kvant.engine.Health;
import kvant.engine.LocalEngine;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.Range;
import kvant.engine.RecordingSink;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.BlockedTables;
import kvant.lsm.LsmOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.sim.SimStorage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Waits where all reads and commits share one lock. A range read is stopped in its middle by a clock that it asks
/// whether a value has expired.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LockedReadsTest {

    private static final int LARGE = 1 << 20;
    private static final Duration A_WHILE = Duration.ofMillis(150);
    private static final String EXPIRING = "expiring";

    private final SimStorage storage = new SimStorage();
    private final BlockedTables blocked = new BlockedTables(storage);
    private final RecordingSink sink = new RecordingSink();
    private final AtomicInteger looksAtTheClock = new AtomicInteger();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private volatile @Nullable Thread counted;
    private final Thread scanner = Thread.ofPlatform().unstarted(this::scanAll);

    /// Stops the scanner alone.
    private final InstantSource clock = () -> {
        if (Thread.currentThread() == this.counted) { // compaction looks too
            looksAtTheClock.incrementAndGet();
        }
        if (Thread.currentThread() == this.scanner) {
            stopped.countDown();
            awaitUninterruptibly(goOn);
        }
        return Instant.ofEpochMilli(1_000);
    };

    private LocalEngine engine = open(LARGE, PublishedWay.LOCKED_READS);

    @BeforeEach
    void fill() {
        Samples.write(engine, put("a", "1"), new Mutation.Put(bytes(EXPIRING), bytes("v"), Long.MAX_VALUE));
    }

    @AfterEach
    void close() {
        goOn.countDown();
        blocked.release();
        engine.close();
    }

    @Test
    void getsWaitWhileARangeIsRead() throws Exception {
        waitsForTheScanner(() -> engine.get(bytes("a")));
    }

    @Test
    void rangesWaitWhileARangeIsRead() throws Exception {
        waitsForTheScanner(() -> {
            try (Cursor cursor = engine.scan(Range.of(bytes("a"), bytes("b")))) {
                return cursor.next() ? new Lookup.Found(cursor.value(), cursor.version()) : Lookup.Miss.ABSENT;
            }
        });
    }

    @Test
    void theSecondRoundOfARangeWaitsToo() throws Exception {
        Samples.write(engine, new Mutation.Put(bytes("b1"), new byte[LockedCursor.ROUND_BYTES]), put("b2", "2"));
        try (Cursor cursor = engine.scan(bytes("b"), bytes("c"))) {
            assertThat(cursor.next()).isTrue();
            waitsForTheScanner(
                    () -> cursor.next() ? new Lookup.Found(cursor.value(), cursor.version()) : Lookup.Miss.ABSENT);
            assertThat(Samples.text(cursor.key())).isEqualTo("b2");
        }
    }

    @Test
    void theOpeningOfARangeWaitsToo() throws Exception {
        waitsForTheScanner(() -> {
            engine.scan(bytes("a"), null).close();
            return new Lookup.Found(new byte[0], 0);
        });
    }

    @Test
    void withoutTheLockNobodyWaits() throws Exception {
        engine.close();
        engine = TestEngines.open(blocked, options(LARGE));
        startScanner();
        assertThat(engine.get(bytes("a"))).isInstanceOf(Lookup.Found.class);
        assertThat(engine.tryGet(bytes("a"))).isInstanceOf(Lookup.Found.class);
        Samples.write(engine, put("b", "2"));
        assertThat(Samples.scan(engine, "a", "b")).hasSize(1);
    }

    @Test
    void whoMustNotWaitIsToldThatItWould() throws Exception {
        assertThat(engine.tryGet(bytes("a"))).as("the lock is free").isInstanceOf(Lookup.Found.class);
        startScanner();
        assertThat(engine.tryGet(bytes("a"))).isEqualTo(Lookup.Miss.WOULD_BLOCK);
        goOn.countDown();
        scanner.join();
        assertThat(engine.tryGet(bytes("a"))).as("the lock is free again").isInstanceOf(Lookup.Found.class);
    }

    @Test
    void writesWaitWhileARangeIsReadAndNobodyWhoSubmitsOne() throws Exception {
        startScanner();
        engine.submit(new Write(WriteBatch.of(put("b", "2")), sink));
        await().during(A_WHILE).until(() -> sink.completed().isEmpty());
        goOn.countDown();
        sink.awaitCompleted(1);
        assertThat(Samples.get(engine, "b")).isEqualTo("2");
    }

    @Test
    void aCursorBetweenTwoRoundsHoldsUpNobody() {
        for (int i = 0; i < 3; i++) {
            Samples.write(engine, new Mutation.Put(bytes("b" + i), new byte[LockedCursor.ROUND_BYTES]));
        }
        try (Cursor cursor = engine.scan(bytes("b"), null)) {
            assertThat(cursor.next()).isTrue();
            Samples.write(engine, put("c", "3"));
            assertThat(CompletableFuture.supplyAsync(() -> engine.get(bytes("c"))))
                    .succeedsWithin(Duration.ofNanos(Samples.timeoutNanos()))
                    .isInstanceOf(Lookup.Found.class);
            assertThat(Samples.keys(Samples.rest(cursor))).as("of the snapshot").containsExactly("b1", "b2", EXPIRING);
        }
    }

    @Test
    void aRangeWithALimitReadsNothingBeyondIt() {
        for (int i = 0; i < 10; i++) {
            Samples.write(engine, new Mutation.Put(bytes("e" + i), bytes("v"), Long.MAX_VALUE));
        }
        counted = Thread.currentThread();
        try (Cursor cursor = engine.scan(Range.of(bytes("e"), null).limit(2))) {
            assertThat(Samples.rest(cursor)).hasSize(2);
        }
        assertThat(looksAtTheClock).hasValue(2);
    }

    @Test
    void withFlushesInTheForegroundReadsWaitForThemToo() throws Exception {
        engine.close();
        blocked.release(); // for what opening flushes
        engine = open(1, PublishedWay.LOCKED_READS, PublishedWay.FOREGROUND_FLUSH); // full after every group
        blocked.block();
        engine.submit(new Write(WriteBatch.of(put("b", "2")), sink));
        await().until(() -> engine.tryGet(bytes("a")) == Lookup.Miss.WOULD_BLOCK);
        await().during(A_WHILE).until(() -> engine.tryGet(bytes("a")) == Lookup.Miss.WOULD_BLOCK);
        CompletableFuture<Lookup> reading = CompletableFuture.supplyAsync(() -> engine.get(bytes("b")));
        assertThat(reading).isNotDone();
        blocked.release();
        assertThat(reading.get(Samples.timeoutNanos(), TimeUnit.NANOSECONDS)).isInstanceOf(Lookup.Found.class);
        sink.awaitCompleted(1);
    }

    @Test
    void aNodeSaysThatItIsThere() {
        assertThat(engine.health().ready()).isTrue();
        assertThat(engine.health().checks())
                .extracting(Health.Check::name)
                .contains(Health.READS, Health.WRITES, PublishedWay.LOCKED_READS.label());
    }

    /// Another thread waits for as long as the scanner is in its round, and finds something afterwards.
    private void waitsForTheScanner(Supplier<Lookup> read) throws Exception {
        startScanner();
        CompletableFuture<Lookup> answer = new CompletableFuture<>();
        Thread reader = Thread.ofPlatform().start(() -> answer.complete(read.get()));
        await().until(() -> reader.getState() == Thread.State.WAITING);
        assertThat(answer).isNotDone();
        goOn.countDown();
        assertThat(answer.get(Samples.timeoutNanos(), TimeUnit.NANOSECONDS)).isInstanceOf(Lookup.Found.class);
        reader.join();
    }

    private void startScanner() throws InterruptedException {
        scanner.start();
        assertThat(stopped.await(Samples.timeoutNanos(), TimeUnit.NANOSECONDS)).isTrue();
    }

    private void scanAll() {
        Samples.scan(engine, EXPIRING, null);
    }

    private LocalEngine open(int memtableBytes, PublishedWay... ways) {
        return new PublishedLsm(Set.of(ways)).open(parts -> TestEngines.open(blocked, options(memtableBytes), parts));
    }

    private LsmOptions options(int memtableBytes) {
        return ForegroundFlushTest.options(memtableBytes).with(o -> o.clock = clock);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
