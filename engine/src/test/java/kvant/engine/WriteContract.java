package kvant.engine;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.delete;
import static kvant.engine.Samples.get;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.version;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Writes: overwriting, deleting, batches, versions and limits.
interface WriteContract extends ContractFixture {

    @Test
    default void overwritingReplacesTheValue() {
        write(engine(), put("key", "a long first value"));
        write(engine(), put("key", "second"));
        assertThat(get(engine(), "key")).isEqualTo("second");
        assertThat(Samples.scan(engine(), "", null)).hasSize(1);
    }

    @Test
    default void aDeletedKeyIsAbsentUntilPutAgain() {
        write(engine(), put("key", "1"));
        write(engine(), delete("key"));
        assertThat(get(engine(), "key")).isNull();
        assertThat(Samples.scan(engine(), "", null)).isEmpty();
        write(engine(), put("key", "2"));
        assertThat(get(engine(), "key")).isEqualTo("2");
    }

    @Test
    default void deletingWhatIsAbsentIsNoError() {
        write(engine(), delete("nothing"));
        assertThat(get(engine(), "nothing")).isNull();
    }

    @Test
    default void aBatchAppliesAllItsMutations() {
        write(engine(), put("gone", "x"), put("kept", "x"));
        write(engine(), put("a", "1"), delete("gone"), put("b", "2"), put("c", "3"));
        assertThat(Samples.keys(Samples.scan(engine(), "", null))).containsExactly("a", "b", "c", "kept");
        assertThat(get(engine(), "c")).isEqualTo("3");
        assertThat(get(engine(), "gone")).isNull();
    }

    @Test
    default void theLaterOfTwoMutationsOfOneKeyWins() {
        write(engine(), put("a", "1"), put("b", "1"), put("a", "2"));
        assertThat(get(engine(), "a")).isEqualTo("2");
        write(engine(), put("a", "3"), delete("a"));
        assertThat(get(engine(), "a")).isNull();
        write(engine(), delete("b"), put("b", "4"));
        assertThat(get(engine(), "b")).isEqualTo("4");
        assertThat(Samples.keys(Samples.scan(engine(), "", null))).containsExactly("b");
    }

    @Test
    default void versionsGrowWithEveryWriteOfAKey() {
        long first = write(engine(), put("key", "1"));
        assertThat(version(engine(), "key")).isEqualTo(first);
        long second = write(engine(), put("key", "1"));
        assertThat(second).isGreaterThan(first);
        write(engine(), delete("key"));
        long third = write(engine(), put("key", "1"));
        assertThat(third).isGreaterThan(second);
        assertThat(version(engine(), "key")).isEqualTo(third);
    }

    @Test
    default void versionsGoOnGrowingAfterAReopen() {
        long last = 0;
        for (int i = 0; i < 20; i++) {
            last = write(engine(), put("key", "" + i), put("other", "" + i));
        }
        write(engine(), delete("key"));
        reopen(Durability.ALWAYS);
        assertThat(version(engine(), "other")).isEqualTo(last);
        assertThat(write(engine(), put("key", "new"))).isGreaterThan(last);
    }

    @Test
    default void aBatchReportsTheVersionOfItsLastMutation() {
        long version = write(engine(), put("a", "1"), put("b", "2"), put("c", "3"));
        assertThat(version(engine(), "c")).isEqualTo(version);
        assertThat(version(engine(), "a")).isLessThanOrEqualTo(version);
        try (Cursor cursor = engine().scan(bytes("c"), null)) {
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.version()).isEqualTo(version);
        }
    }

    @Test
    default void writesOfOneThreadApplyInTheirOrder() {
        int count = 2_000;
        RecordingSink sink = new RecordingSink();
        List<Write> submitted = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Mutation mutation = i % 7 == 3 ? delete("key") : put("key", "" + i);
            Write write = new Write(WriteBatch.of(mutation), sink);
            submitted.add(write);
            engine().submit(write);
        }
        sink.awaitCompleted(count);
        assertThat(get(engine(), "key")).isEqualTo("" + (count - 1));
        assertThat(version(engine(), "key")).isEqualTo(submitted.getLast().version());
        long last = -1;
        for (Write write : submitted) {
            if (write.batch().mutations().getFirst() instanceof Mutation.Put) {
                assertThat(write.version()).isGreaterThan(last);
                last = write.version();
            }
        }
    }

    @Test
    default void aBatchBeyondTheLimitsIsAProgrammingError() {
        byte[] tooLongKey = new byte[Limits.DEFAULT.maxKeyBytes() + 1];
        refusedByLimits(new Mutation.Put(tooLongKey, bytes("v")));
        refusedByLimits(new Mutation.Delete(tooLongKey));
        refusedByLimits(new Mutation.Put(new byte[0], bytes("v")));
        refusedByLimits(new Mutation.Delete(new byte[0]));
        refusedByLimits(new Mutation.Put(bytes("k"), new byte[Limits.DEFAULT.maxValueBytes() + 1]));
        assertThat(Samples.scan(engine(), "", null)).isEmpty();
    }

    private void refusedByLimits(Mutation mutation) {
        RecordingSink sink = new RecordingSink();
        Write write = new Write(WriteBatch.of(List.of(put("fine", "1"), mutation)), sink);
        assertThatIllegalArgumentException().isThrownBy(() -> engine().submit(write));
        assertThat(sink.completed()).isEmpty();
    }
}
