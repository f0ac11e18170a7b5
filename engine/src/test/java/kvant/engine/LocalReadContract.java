package kvant.engine;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// Level of a [LocalEngine]: reads that never block.
interface LocalReadContract extends ContractFixture {

    @Test
    default void aCompletedWriteIsVisibleInItsOwnCompletion() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(200);
        AtomicBoolean seen = new AtomicBoolean(true);
        for (int i = 0; i < 200; i++) {
            byte[] key = bytes("key" + i);
            CompletionSink looking = new CompletionSink() {
                @Override
                public void completed(Write write) {
                    if (local().tryGet(key) == Lookup.Miss.ABSENT) {
                        seen.set(false);
                    }
                    done.countDown();
                }

                @Override
                public void wake() {}
            };
            engine().submit(new Write(WriteBatch.of(new Mutation.Put(key, bytes("v"))), looking));
        }
        assertThat(done.await(Samples.timeoutNanos(), TimeUnit.NANOSECONDS)).isTrue();
        assertThat(seen).isTrue();
    }

    @Test
    default void leavesAValueThatIsNotWanted() {
        write(engine(), put("empty", ""), put("one", "1"));
        byte[] large = Samples.noise(100_000, 3);
        long version = write(engine(), new Mutation.Put(bytes("large"), large));
        for (int round = 0; round < 2; round++) {
            for (String key : List.of("empty", "one", "large", "nothing")) {
                Lookup found = local().get(bytes(key));
                assertThat(local().get(bytes(key), Lookup.Filter.NONE)).isEqualTo(described(found));
                assertThat(local().tryGet(bytes(key), Lookup.Filter.NONE))
                        .isIn(described(found), Lookup.Miss.WOULD_BLOCK);
            }
            assertThat(local().get(bytes("large"), Lookup.Filter.NONE))
                    .isEqualTo(new Lookup.Described(version, 100_000));
            reopen(Durability.ALWAYS);
        }
    }

    @Test
    default void givesAValueThatIsWanted() {
        long version = write(engine(), put("key", "value"));
        List<String> asked = new ArrayList<>();
        Lookup.Filter wanted = (found, length) -> asked.add(found + " " + length);
        for (int round = 0; round < 2; round++) {
            assertThat(Samples.valueOf(local().get(bytes("key"), wanted))).isEqualTo("value");
            assertThat(local().get(bytes("nothing"), wanted)).isEqualTo(Lookup.Miss.ABSENT);
            reopen(Durability.ALWAYS);
        }
        assertThat(asked).containsExactly(version + " 5", version + " 5");
    }

    @Test
    default void describesNoExpiredValue() {
        long later = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
        write(engine(), new Mutation.Put(bytes("gone"), bytes("v"), 1));
        long version = write(engine(), new Mutation.Put(bytes("day"), bytes("value"), later));
        for (int round = 0; round < 2; round++) {
            assertThat(local().get(bytes("gone"), Lookup.Filter.NONE)).isEqualTo(Lookup.Miss.ABSENT);
            assertThat(local().get(bytes("day"), Lookup.Filter.NONE)).isEqualTo(new Lookup.Described(version, 5));
            reopen(Durability.ALWAYS);
        }
    }

    @Test
    default void aClosedEngineRefusesReadsThatMayNotBlock() {
        write(engine(), put("a", "1"));
        LocalEngine closed = local();
        closed.close();
        assertThatThrownBy(() -> closed.tryGet(bytes("a"))).isInstanceOf(EngineException.Closed.class);
        assertThatThrownBy(() -> closed.get(bytes("a"), Lookup.Filter.NONE)).isInstanceOf(EngineException.Closed.class);
        assertThatThrownBy(() -> Samples.shortScan(closed, Range.all(), 1_000))
                .isInstanceOf(EngineException.Closed.class);
    }

    /// Fresh writes are in memory.
    @Test
    default void aShortRangeShowsWhatAScanShows() {
        write(engine(), put("a", "1"), put("b", "2"), put("b2", ""), put("c", "3"), put("d", "4"));
        write(engine(), Samples.delete("c"), put("d", "5"), new Mutation.Put(bytes("e"), bytes("gone"), 1));
        for (Range range : List.of(
                Range.all(),
                Range.of(bytes("b"), bytes("d")),
                Range.of(bytes("d"), bytes("b")),
                Range.all().limit(0),
                Range.all().limit(2),
                Range.of(bytes("b3"), null).limit(1))) {
            List<Samples.Entry> scanned;
            try (Cursor cursor = engine().scan(range)) {
                scanned = Samples.rest(cursor);
            }
            assertThat(Samples.shortScan(local(), range, 1_000)).isEqualTo(scanned);
        }
    }

    @Test
    default void aShortRangeSaysWhenItsValuesExpire() {
        long later = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
        write(engine(), put("stays", "v"), new Mutation.Put(bytes("until"), bytes("v"), later));
        List<Long> ends = new ArrayList<>();
        local().tryScan(Range.all(), 1_000, (_, _, _, expiresAtMillis) -> ends.add(expiresAtMillis));
        assertThat(ends).containsExactly(Mutation.Put.NEVER, later);
    }

    @Test
    default void aRangeOfMoreBytesIsNotShort() {
        write(engine(), new Mutation.Put(bytes("a"), new byte[600]), new Mutation.Put(bytes("b"), new byte[600]));
        write(engine(), new Mutation.Put(bytes("c"), new byte[100_000]));
        for (Range range : List.of(Range.all(), Range.of(bytes("c"), null))) {
            List<byte[]> values = new ArrayList<>();
            assertThat(local().tryScan(range, 1_000, (_, value, _, _) -> values.add(value)))
                    .isEqualTo(LocalEngine.Reach.TOO_LONG);
            assertThat(values.stream().mapToInt(value -> value.length).sum()).isLessThan(1_000);
        }
        assertThat(Samples.shortScan(local(), Range.all().limit(1), 1_000)).hasSize(1);
    }

    private static Lookup described(Lookup lookup) {
        return lookup instanceof Lookup.Found(byte[] value, long version)
                ? new Lookup.Described(version, value.length)
                : lookup;
    }

    private LocalEngine local() {
        return (LocalEngine) engine();
    }
}
