package kvant.engine;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.delete;
import static kvant.engine.Samples.get;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.settle;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Level of a [LocalEngine]: a condition guards a batch of any length, and is judged on its first key.
interface BatchConditionContract extends ContractFixture {

    @Test
    default void aRefusedBatchChangesNothingAtAll() {
        write(engine(), put("first", "1"), put("second", "1"));
        WriteBatch batch = WriteBatch.of(List.of(put("first", "2"), delete("second"), put("third", "2")))
                .when(new Condition.Absent());
        assertThat(settle(engine(), batch).outcome()).isEqualTo(Write.Outcome.REFUSED);
        assertThat(get(engine(), "first")).isEqualTo("1");
        assertThat(get(engine(), "second")).isEqualTo("1");
        assertThat(get(engine(), "third")).isNull();
    }

    @Test
    default void theConditionIsJudgedOnTheFirstMutationsKey() {
        write(engine(), put("second", "1"));
        WriteBatch batch =
                WriteBatch.of(List.of(put("first", "2"), put("second", "2"))).when(new Condition.Absent());
        assertThat(settle(engine(), batch).outcome()).isEqualTo(Write.Outcome.APPLIED);
        assertThat(get(engine(), "second")).isEqualTo("2");
    }

    @Test
    default void aBatchIsAppliedOnlyWhereAllItsGuardsHold() {
        long version = write(engine(), put("a", "1"));
        write(engine(), put("b", "1"));
        WriteBatch batch = WriteBatch.put(bytes("c"), bytes("2"));
        WriteBatch.Guard present = new WriteBatch.Guard(bytes("a"), new Condition.VersionIs(version));
        WriteBatch.Guard absent = new WriteBatch.Guard(bytes("b"), new Condition.Absent());
        assertThat(settle(engine(), batch.guardedBy(List.of(present, absent))).outcome())
                .isEqualTo(Write.Outcome.REFUSED);
        assertThat(get(engine(), "c")).isNull();
        write(engine(), delete("b"));
        assertThat(settle(engine(), batch.guardedBy(List.of(present, absent))).outcome())
                .isEqualTo(Write.Outcome.APPLIED);
        write(engine(), put("a", "1"));
        assertThat(settle(engine(), batch.guardedBy(List.of(absent, present))).outcome())
                .as("the same value of another version")
                .isEqualTo(Write.Outcome.REFUSED);
    }

    @Test
    default void keysThatAreReadTogetherShowVersionAndExpiry() {
        long later = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
        write(engine(), put("a", "1"), new Mutation.Put(bytes("gone"), bytes("x"), 1));
        long version = write(engine(), new Mutation.Put(bytes("z"), bytes("2"), later));
        write(engine(), put("b", "1"));
        write(engine(), delete("b"));
        for (int round = 0; round < 2; round++) {
            List<String> read = new ArrayList<>();
            ((LocalEngine) engine())
                    .read(
                            List.of(bytes("z"), bytes("gone"), bytes("b"), bytes("a"), bytes("a0")),
                            (key, value, found, ends) -> read.add(Samples.text(key) + "=" + Samples.text(value)
                                    + (found == version ? "!" : "") + (ends == later ? "*" : "")));
            assertThat(read).containsExactly("z=2!*", "a=1");
            reopen(Durability.ALWAYS);
        }
    }

    /// Both keys are written together, all the time.
    @Test
    default void keysThatAreReadTogetherAreOfOneMoment() {
        LocalEngine engine = (LocalEngine) engine();
        write(engine, put("a", "0"), put("z", "0"));
        AtomicBoolean writing = new AtomicBoolean(true);
        Crew.runAll(3, number -> {
            if (number == 0) {
                for (int i = 1; i <= 300; i++) {
                    write(engine, put("z", "" + i), put("a", "" + i));
                }
                writing.set(false);
            }
            while (writing.get()) {
                Map<String, String> read = read(engine, "a", "z");
                assertThat(read.get("z")).isEqualTo(read.get("a"));
            }
        });
    }

    /// Each moves one from a key to another, if both are as they were read.
    @Test
    default void ofTransfersBetweenKeysNoneIsLost() {
        LocalEngine engine = (LocalEngine) engine();
        write(engine, put("a", "1000"), put("b", "1000"));
        Crew.runAll(4, number -> {
            for (int done = 0; done < 50; ) {
                Map<String, Long> versions = new HashMap<>();
                Map<String, Integer> read = new HashMap<>();
                engine.read(List.of(bytes("a"), bytes("b")), (key, value, version, _) -> {
                    versions.put(Samples.text(key), version);
                    read.put(Samples.text(key), Integer.parseInt(Samples.text(value)));
                });
                int moved = number % 2 == 0 ? 1 : -3;
                List<WriteBatch.Guard> guards = List.of(guard("a", versions), guard("b", versions));
                WriteBatch batch = WriteBatch.of(
                        List.of(put("a", "" + (read.get("a") - moved)), put("b", "" + (read.get("b") + moved))));
                if (settle(engine, batch.guardedBy(guards)).outcome() == Write.Outcome.APPLIED) {
                    done++;
                }
            }
        });
        assertThat(read(engine, "a", "b")).containsEntry("a", "1200").containsEntry("b", "800");
    }

    private static WriteBatch.Guard guard(String key, Map<String, Long> versions) {
        return new WriteBatch.Guard(bytes(key), new Condition.VersionIs(versions.get(key)));
    }

    private static Map<String, String> read(LocalEngine engine, String... keys) {
        Map<String, String> read = new HashMap<>();
        engine.read(
                Stream.of(keys).map(Samples::bytes).toList(),
                (key, value, _, _) -> read.put(Samples.text(key), Samples.text(value)));
        return read;
    }
}
