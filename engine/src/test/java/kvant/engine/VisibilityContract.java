package kvant.engine;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.valueOf;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/// What readers see while others write.
interface VisibilityContract extends ContractFixture {

    @Test
    default void aCompletedWriteIsVisibleToEveryLaterRead() {
        for (int i = 0; i < 50; i++) {
            write(engine(), put("key", "" + i));
            assertThat(valueOf(engine().get(bytes("key")))).isEqualTo("" + i);
            Lookup eager = engine().tryGet(bytes("key"));
            if (eager != Lookup.Miss.WOULD_BLOCK) {
                assertThat(valueOf(eager)).isEqualTo("" + i);
            }
            assertThat(Samples.scan(engine(), "key", null).getFirst().value()).isEqualTo("" + i);
        }
    }

    @Test
    default void aCompletedWriteIsVisibleInItsOwnCompletion() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(200);
        AtomicBoolean seen = new AtomicBoolean(true);
        for (int i = 0; i < 200; i++) {
            byte[] key = bytes("key" + i);
            CompletionSink looking = new CompletionSink() {
                @Override
                public void completed(Write write) {
                    if (engine().tryGet(key) == Lookup.Miss.ABSENT) {
                        seen.set(false);
                    }
                    done.countDown();
                }

                @Override
                public void wake() {}
            };
            engine().submit(new Write(WriteBatch.of(new Mutation.Put(key, bytes("v"))), looking));
        }
        assertThat(done.await(Samples.patienceNanos(), TimeUnit.NANOSECONDS)).isTrue();
        assertThat(seen).isTrue();
    }

    @Test
    default void otherThreadsSeeWhatHasCompleted() {
        int writers = 4;
        int rounds = 150;
        Engine engine = engine();
        AtomicIntegerArray completed = new AtomicIntegerArray(writers);
        Crew.runAll(writers * 2, number -> {
            int writer = number / 2;
            byte[] key = bytes("counter" + writer);
            if (number % 2 == 0) {
                for (int i = 1; i <= rounds; i++) {
                    write(engine, put("counter" + writer, "" + i));
                    completed.set(writer, i);
                }
                return;
            }
            int floor = 0;
            while (floor < rounds) {
                floor = completed.get(writer);
                assertAtLeast(floor, engine.get(key));
                assertAtLeast(floor, engine.tryGet(key));
                Thread.onSpinWait();
            }
        });
    }

    @Test
    default void aBatchIsNeverSeenHalf() {
        Engine engine = engine();
        write(engine, put("a", "0"), put("m", "0"), put("z", "0"));
        AtomicBoolean writing = new AtomicBoolean(true);
        Crew.runAll(3, number -> {
            if (number == 0) {
                for (int i = 1; i <= 300; i++) {
                    write(engine, put("a", "" + i), put("m", "" + i), put("z", "" + i));
                }
                writing.set(false);
                return;
            }
            while (writing.get()) {
                List<Samples.Entry> entries = Samples.scan(engine, "", null);
                assertThat(entries).hasSize(3);
                assertThat(entries.get(1).value()).isEqualTo(entries.get(0).value());
                assertThat(entries.get(2).value()).isEqualTo(entries.get(0).value());
                int seen = Integer.parseInt(entries.get(0).value());
                assertAtLeast(seen, engine.get(bytes("z")));
            }
        });
    }

    @Test
    default void keepsWhatManyThreadsWriteAtOnce() {
        int perThread = 200;
        Engine engine = engine();
        Crew.runAll(8, number -> {
            RecordingSink sink = new RecordingSink();
            for (int i = 0; i < perThread; i++) {
                engine.submit(new Write(WriteBatch.of(put(number + "/" + i, number + ":" + i)), sink));
            }
            sink.awaitCompleted(perThread);
            for (Write write : sink.completed()) {
                assertThat(write.outcome()).isEqualTo(Write.Outcome.APPLIED);
            }
        });
        assertThat(Samples.scan(engine, "", null))
                .hasSize(8 * perThread)
                .allSatisfy(
                        entry -> assertThat(entry.value()).isEqualTo(entry.key().replace('/', ':')));
    }

    private static void assertAtLeast(int floor, Lookup lookup) {
        if (floor == 0 || lookup == Lookup.Miss.WOULD_BLOCK) {
            return;
        }
        String value = valueOf(lookup);
        assertThat(value).isNotNull();
        assertThat(Integer.parseInt(String.valueOf(value))).isGreaterThanOrEqualTo(floor);
    }
}
