package kvant.cassandra;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import kvant.engine.Engine;
import kvant.engine.Mutation;
import kvant.engine.RecordingSink;
import kvant.engine.Write;
import kvant.engine.WriteBatch;

/// Writes that were submitted one after the other without waiting, all settled.
final class Submitted {

    private Submitted() {}

    static List<Write> all(Engine engine, int count, IntFunction<Mutation> mutation) {
        RecordingSink sink = new RecordingSink();
        List<Write> writes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Write write = new Write(WriteBatch.of(mutation.apply(i)), sink);
            writes.add(write);
            engine.submit(write);
        }
        sink.awaitCompleted(count);
        return writes;
    }
}
