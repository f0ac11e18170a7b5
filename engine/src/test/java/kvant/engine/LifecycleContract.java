package kvant.engine;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.delete;
import static kvant.engine.Samples.get;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.scan;
import static kvant.engine.Samples.settle;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Opening, closing, reopening.
interface LifecycleContract extends ContractFixture {

    @ParameterizedTest
    @ValueSource(strings = {"always", "interval=20", "interval=60000", "none"})
    default void aReopenFindsEverything(String durability) {
        Durability policy = Durability.parse(durability);
        reopen(policy);
        int keys = rounds(300);
        for (int i = 0; i < keys; i++) {
            write(engine(), put("key" + i, "value " + i), put("deleted" + i, "x"));
            write(engine(), delete("deleted" + i));
        }
        List<Samples.Entry> before = scan(engine(), "", null);
        assertThat(before).hasSize(keys);
        for (int i = 0; i < 3; i++) {
            reopen(policy);
            assertThat(scan(engine(), "", null)).isEqualTo(before);
        }
        int last = keys - 1;
        assertThat(get(engine(), "key" + last)).isEqualTo("value " + last);
        assertThat(get(engine(), "deleted" + last)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"always", "interval=60000", "none"})
    default void closingFinishesWhatWasAccepted(String durability) {
        reopen(Durability.parse(durability));
        RecordingSink sink = new RecordingSink();
        for (int i = 0; i < 1_000; i++) {
            engine().submit(new Write(WriteBatch.of(put("key" + i, "v")), sink));
        }
        engine().close();
        assertThat(sink.completed())
                .hasSize(1_000)
                .allSatisfy(write -> assertThat(write.outcome()).isEqualTo(Write.Outcome.APPLIED));
        reopen(Durability.ALWAYS);
        assertThat(scan(engine(), "", null)).hasSize(1_000);
    }

    @Test
    default void aClosedEngineRefusesReads() {
        write(engine(), put("a", "1"));
        Engine closed = engine();
        closed.close();
        assertThatThrownBy(() -> Samples.read(closed, bytes("a"))).isInstanceOf(EngineException.Closed.class);
        assertThatThrownBy(() -> closed.scan(bytes("a"), null)).isInstanceOf(EngineException.Closed.class);
    }

    @Test
    default void aClosedEngineFailsWrites() {
        Engine closed = engine();
        closed.close();
        RecordingSink sink = new RecordingSink();
        Write write = new Write(WriteBatch.of(put("a", "1")), sink);
        closed.submit(write);
        sink.awaitCompleted(1);
        sink.awaitWoken();
        assertThat(write.outcome()).isEqualTo(Write.Outcome.FAILED);
        assertThat(write.failure()).isInstanceOf(EngineException.Closed.class);
        assertThat(scan(reopen(Durability.ALWAYS), "", null)).isEmpty();
    }

    @Test
    default void closingTwiceIsNoError() {
        engine().close();
        engine().close();
    }

    @Test
    default void aCursorThatOutlivesItsEngineIsHarmless() {
        write(engine(), put("a", "1"), put("b", "2"));
        Cursor cursor = engine().scan(bytes("a"), null);
        assertThat(cursor.next()).isTrue();
        engine().close();
        try {
            cursor.next();
        } catch (EngineException.Closed _) {
            // One of the two allowed answers; the other is to continue.
        }
        cursor.close();
    }

    @Test
    default void closingBesideReadersAndWritersEndsThemInOrder() {
        Engine engine = engine();
        write(engine, put("key", "v"));
        AtomicInteger reads = new AtomicInteger();
        int enough = rounds(1_000);
        Crew.runAll(5, number -> {
            if (number == 0) {
                while (reads.get() < enough) {
                    Thread.onSpinWait();
                }
                engine.close();
                return;
            }
            try {
                while (number != 4
                        || settle(engine, WriteBatch.of(put("new", "v"))).failure() == null) {
                    assertThat(Samples.read(engine, bytes("key"))).isInstanceOf(Lookup.Found.class);
                    assertThat(scan(engine, "key", "kez")).hasSize(1);
                    reads.incrementAndGet();
                }
            } catch (EngineException.Closed _) {
                // The expected outcome for users of a closed engine.
            }
        });
    }

    @Test
    default void anOpenEngineIsReady() {
        assertThat(engine().health().ready()).isTrue();
        assertThat(engine().health().checks()).extracting(Health.Check::name).contains(Health.READS, Health.WRITES);
        write(engine(), put("a", "1"));
        assertThat(reopen(Durability.NONE).health().ready()).isTrue();
    }
}
