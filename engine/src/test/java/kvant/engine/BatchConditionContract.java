package kvant.engine;

import static kvant.engine.Samples.delete;
import static kvant.engine.Samples.get;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.settle;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
}
