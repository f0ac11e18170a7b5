package kvant.lsm.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import kvant.engine.Condition;
import kvant.engine.ConditionFailedException;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmParts;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.memtable.ArenaMemtable;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.storage.HeapStorage;
import org.junit.jupiter.api.Test;

/// The key of a condition is read by the thread that waits for the write, so that the commit thread finds it cached.
class ColdConditionTest {

    private static final int NEVER = 64 << 20;

    /// Threads that looked keys up, in order.
    private final List<Thread> readers = new CopyOnWriteArrayList<>();

    @Test
    void whoWaitsForAConditionalWriteReadsItsKeyFirst() throws ConditionFailedException {
        LsmParts parts = new LsmParts() {
            @Override
            public Memtable memtable(long expectedBytes) {
                return watched(new ArenaMemtable(expectedBytes));
            }
        };
        try (LsmEngine engine = TestEngines.open(new HeapStorage(), SimOptions.of(1, "none", NEVER), parts)) {
            Mutation put = Samples.put("key", "value");
            engine.write(WriteBatch.of(put));
            assertThat(readers).as("a write without a condition reads nothing").isEmpty();
            engine.write(WriteBatch.of(put).when(new Condition.Present()));
            assertThat(readers).hasSize(2).first().isSameAs(Thread.currentThread());
            assertThat(readers.getLast().getName()).isEqualTo("kvant-lsm-commit");
        }
    }

    private Memtable watched(Memtable memtable) {
        return (Memtable) Proxy.newProxyInstance(
                Memtable.class.getClassLoader(), new Class<?>[] {Memtable.class}, (_, method, arguments) -> {
                    if (method.getName().equals("find")) {
                        readers.add(Thread.currentThread());
                    }
                    try {
                        return method.invoke(memtable, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
