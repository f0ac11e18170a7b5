package kvant.engine;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Completion of writes: each is completed once, then its sink is woken.
interface CompletionContract extends ContractFixture {

    @Test
    default void everyWriteIsCompletedOnceAndThenWoken() {
        int sinks = 4;
        int perSink = rounds(500);
        List<RecordingSink> recorders = new ArrayList<>();
        List<Write> submitted = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < sinks; i++) {
            recorders.add(new RecordingSink());
        }
        Engine engine = engine();
        Crew.runAll(sinks, number -> {
            for (int i = 0; i < perSink; i++) {
                Condition condition = i % 3 == 0 ? new Condition.Absent() : Condition.NONE;
                WriteBatch batch = WriteBatch.of(put("key" + i % 10, number + "/" + i));
                Write write = new Write(batch.when(condition), recorders.get(number));
                submitted.add(write);
                engine.submit(write);
            }
        });
        Set<Write> returned = Collections.newSetFromMap(new IdentityHashMap<>());
        for (RecordingSink recorder : recorders) {
            recorder.awaitCompleted(perSink);
            recorder.awaitWoken();
        }
        reopen(Durability.ALWAYS); // after a close, nothing can be completed any more
        for (RecordingSink recorder : recorders) {
            assertThat(recorder.completed()).hasSize(perSink);
            assertThat(recorder.wakes()).isBetween(1, perSink);
            returned.addAll(recorder.completed());
        }
        assertThat(returned).hasSize(sinks * perSink).containsAll(submitted);
        assertThat(returned)
                .allSatisfy(write -> assertThat(write.outcome()).isIn(Write.Outcome.APPLIED, Write.Outcome.REFUSED));
    }

    @Test
    default void aSinkThatThrowsHarmsNobodyElse() {
        CompletionSink broken = new CompletionSink() {
            @Override
            public void completed(Write write) {
                throw new IllegalStateException("broken on purpose");
            }

            @Override
            public void wake() {
                throw new IllegalStateException("broken on purpose");
            }
        };
        RecordingSink sink = new RecordingSink();
        for (int i = 0; i < 2; i++) {
            engine().submit(new Write(WriteBatch.of(put("broken" + i, "v")), broken));
            engine().submit(new Write(WriteBatch.of(put("fine" + i, "v")), sink));
        }
        sink.awaitCompleted(2);
        sink.awaitWoken();
        for (int i = 0; i < 2; i++) {
            assertThat(Samples.read(engine(), bytes("fine" + i))).isInstanceOf(Lookup.Found.class);
        }
    }

    @Test
    default void aBatchOfTenThousandMutationsIsOneWrite() {
        List<Mutation> puts = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            puts.add(put("key" + i, "value " + i));
        }
        long version = Samples.write(engine(), WriteBatch.of(puts));
        assertThat(Samples.version(engine(), "key9999")).isEqualTo(version);
        assertThat(Samples.scan(engine(), "", null)).hasSize(10_000);
    }
}
