package kvant.engine;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Level of an engine with one log: writes are completed in the order in which they were submitted.
interface CompletionOrderContract extends ContractFixture {

    @Test
    default void writesOfOneThreadAreCompletedInTheirOrder() {
        RecordingSink sink = new RecordingSink();
        List<Write> submitted = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            Write write = new Write(WriteBatch.of(put("key" + i, "v")), sink);
            submitted.add(write);
            engine().submit(write);
        }
        sink.awaitCompleted(submitted.size());
        List<Write> completed = sink.completed();
        for (int i = 0; i < submitted.size(); i++) {
            assertThat(completed.get(i)).isSameAs(submitted.get(i));
        }
    }
}
