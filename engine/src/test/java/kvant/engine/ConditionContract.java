package kvant.engine;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.delete;
import static kvant.engine.Samples.get;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.settle;
import static kvant.engine.Samples.version;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Conditional batches: judged at their place in the order of all writes.
interface ConditionContract extends ContractFixture {

    @Test
    default void absentHoldsOnlyWhileTheKeyHasNoValue() {
        assertThat(settle(engine(), create("key", "1")).outcome()).isEqualTo(Write.Outcome.APPLIED);
        assertThat(settle(engine(), create("key", "2")).outcome()).isEqualTo(Write.Outcome.REFUSED);
        assertThat(get(engine(), "key")).isEqualTo("1");
        write(engine(), delete("key"));
        assertThat(settle(engine(), create("key", "3")).outcome()).isEqualTo(Write.Outcome.APPLIED);
        assertThat(get(engine(), "key")).isEqualTo("3");
    }

    @Test
    default void presentHoldsOnlyWhileTheKeyHasAValue() {
        WriteBatch update = WriteBatch.of(put("key", "new")).when(new Condition.Present());
        assertThat(settle(engine(), update).outcome()).isEqualTo(Write.Outcome.REFUSED);
        assertThat(get(engine(), "key")).isNull();
        write(engine(), put("key", ""));
        assertThat(settle(engine(), update).outcome()).isEqualTo(Write.Outcome.APPLIED);
        assertThat(get(engine(), "key")).isEqualTo("new");
    }

    @Test
    default void versionIsHoldsOnlyForThatVersion() {
        long old = write(engine(), put("key", "1"));
        long current = write(engine(), put("key", "2"));
        assertThat(settle(engine(), replace("key", "3", old)).outcome()).isEqualTo(Write.Outcome.REFUSED);
        assertThat(settle(engine(), replace("key", "3", current + 1)).outcome()).isEqualTo(Write.Outcome.REFUSED);
        assertThat(get(engine(), "key")).isEqualTo("2");
        Write replaced = settle(engine(), replace("key", "3", current));
        assertThat(replaced.outcome()).isEqualTo(Write.Outcome.APPLIED);
        assertThat(version(engine(), "key")).isEqualTo(replaced.version());
        write(engine(), delete("key"));
        assertThat(settle(engine(), replace("key", "4", replaced.version())).outcome())
                .isEqualTo(Write.Outcome.REFUSED);
    }

    @Test
    default void conditionsJudgeTheStateThatAReopenFound() {
        long version = write(engine(), put("key", "1"));
        reopen(Durability.ALWAYS);
        assertThat(settle(engine(), create("key", "2")).outcome()).isEqualTo(Write.Outcome.REFUSED);
        assertThat(settle(engine(), replace("key", "2", version)).outcome()).isEqualTo(Write.Outcome.APPLIED);
    }

    @Test
    default void conditionsSeeTheWritesQueuedBeforeThem() {
        for (int round = 0; round < rounds(50); round++) {
            RecordingSink sink = new RecordingSink();
            String key = "key" + round;
            List<Write> writes = List.of(
                    new Write(create(key, "1"), sink),
                    new Write(create(key, "2"), sink),
                    new Write(WriteBatch.of(put(key, "3")).when(new Condition.Present()), sink),
                    new Write(WriteBatch.of(delete(key)), sink),
                    new Write(WriteBatch.of(put(key, "4")).when(new Condition.Present()), sink),
                    new Write(create(key, "5"), sink));
            writes.forEach(engine()::submit);
            sink.awaitCompleted(writes.size());
            assertThat(writes.stream().map(Write::outcome))
                    .containsExactly(
                            Write.Outcome.APPLIED,
                            Write.Outcome.REFUSED,
                            Write.Outcome.APPLIED,
                            Write.Outcome.APPLIED,
                            Write.Outcome.REFUSED,
                            Write.Outcome.APPLIED);
            assertThat(get(engine(), key)).isEqualTo("5");
        }
    }

    @Test
    default void ofManyCreatorsExactlyOneSucceeds() {
        Engine engine = engine();
        for (int round = 0; round < rounds(20); round++) {
            String key = "key" + round;
            AtomicInteger applied = new AtomicInteger();
            AtomicInteger refused = new AtomicInteger();
            Crew.runAll(8, number -> {
                switch (settle(engine, create(key, "" + number)).outcome()) {
                    case APPLIED -> applied.incrementAndGet();
                    case REFUSED -> refused.incrementAndGet();
                    case PENDING, FAILED -> throw new AssertionError("neither applied nor refused");
                }
            });
            assertThat(applied).hasValue(1);
            assertThat(refused).hasValue(7);
        }
    }

    @Test
    default void compareAndSetLosesNoIncrement() {
        Engine engine = engine();
        write(engine, put("counter", "0"));
        int threads = 6;
        int increments = rounds(30);
        Crew.runAll(threads, _ -> {
            for (int done = 0; done < increments; ) {
                Lookup.Found found = (Lookup.Found) Samples.read(engine, bytes("counter"));
                int next = Integer.parseInt(Samples.text(found.value())) + 1;
                Write write = settle(engine, replace("counter", "" + next, found.version()));
                if (write.outcome() == Write.Outcome.APPLIED) {
                    done++;
                }
            }
        });
        assertThat(get(engine, "counter")).isEqualTo("" + threads * increments);
    }

    @Test
    default void theWaitingWriteThrowsWhenRefused() {
        write(engine(), put("key", "1"));
        assertThatThrownBy(() -> engine().write(create("key", "2"))).isInstanceOf(ConditionFailedException.class);
        assertThat(get(engine(), "key")).isEqualTo("1");
    }

    private static WriteBatch create(String key, String value) {
        return WriteBatch.of(put(key, value)).when(new Condition.Absent());
    }

    private static WriteBatch replace(String key, String value, long version) {
        return WriteBatch.of(put(key, value)).when(new Condition.VersionIs(version));
    }
}
