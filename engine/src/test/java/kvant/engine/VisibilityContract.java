package kvant.engine;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.valueOf;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/// Visibility of writes to concurrent readers.
interface VisibilityContract extends ContractFixture {

    @Test
    default void aCompletedWriteIsVisibleToEveryLaterRead() {
        for (int i = 0; i < rounds(50); i++) {
            write(engine(), put("key", "" + i));
            assertThat(Samples.get(engine(), "key")).isEqualTo("" + i);
            assertThat(Samples.scan(engine(), "key", null).getFirst().value()).isEqualTo("" + i);
        }
    }

    @Test
    default void otherThreadsSeeWhatHasCompleted() {
        int writers = 4;
        int rounds = rounds(150);
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
                assertAtLeast(floor, Samples.read(engine, key));
                if (engine instanceof LocalEngine local) {
                    assertAtLeast(floor, local.tryGet(key));
                }
                Thread.onSpinWait();
            }
        });
    }

    @Test
    default void aCompletedBatchIsSeenEntirely() {
        for (int i = 0; i < rounds(50); i++) {
            write(engine(), put("a", "" + i), put("m", "" + i), put("z", "" + i));
            assertThat(Samples.scan(engine(), "", null))
                    .extracting(Samples.Entry::value)
                    .containsExactly("" + i, "" + i, "" + i);
        }
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
