package kvant.lsm;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import kvant.engine.CompletionSink;
import kvant.engine.EngineException;
import kvant.engine.RecordingSink;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import org.jspecify.annotations.Nullable;

/// Writes to an engine whose storage fails, one after the other, and what a store may hold after them.
///
/// Each write names a key and a key that belongs to it, both with one value that is used once, so that what
/// is read says which write it is from and whether it came alone. One thread writes, any thread looks.
final class PairedWrites {

    private static final int KEYS = 4;

    // Guarded by this.
    private final Map<String, String> acknowledged = new TreeMap<>();
    /// Writes that are under way, or failed in a way that leaves open whether they are in the log.
    private final Map<String, Set<String>> open = new TreeMap<>();
    private boolean logFailed;

    // One thread.
    private int number;

    /// Writes the next pair, and waits for its outcome.
    void write(LsmEngine engine) {
        String key = "key" + number % KEYS;
        String value = "value" + number;
        number++;
        begin(key, value);
        RecordingSink settled = new RecordingSink();
        Write write = new Write(WriteBatch.of(List.of(put(key, value), put(key + "+", value))), new CompletionSink() {
            @Override
            public void completed(Write done) {
                end(key, value, done); // before anything else happens to the storage
                settled.completed(done);
            }

            @Override
            public void wake() {
                settled.wake();
            }
        });
        engine.submit(write);
        settled.awaitCompleted(1);
        if (write.outcome() != Write.Outcome.APPLIED) {
            assertThat(write.failure())
                    .isInstanceOfAny(
                            EngineException.StorageFull.class,
                            EngineException.LogFailed.class,
                            EngineException.OutcomeUnknown.class,
                            EngineException.Io.class);
        }
    }

    private synchronized void begin(String key, String value) {
        open.computeIfAbsent(key, _ -> new HashSet<>()).add(value);
    }

    private synchronized void end(String key, String value, Write write) {
        if (write.outcome() == Write.Outcome.APPLIED) {
            assertThat(logFailed).as("acknowledged after the log had failed").isFalse();
            acknowledged.put(key, value);
            open.remove(key);
        } else {
            EngineException failure = write.failure();
            boolean stopped = failure instanceof EngineException.LogFailed;
            logFailed |= stopped || failure instanceof EngineException.OutcomeUnknown;
            if (stopped || failure instanceof EngineException.StorageFull) {
                open.get(key).remove(value); // nothing has happened
            }
        }
    }

    synchronized boolean hasLogFailed() {
        return logFailed;
    }

    /// The engine shows what it has acknowledged, and nothing else.
    synchronized void assertReadsGoOn(LsmEngine engine) {
        for (int i = 0; i < KEYS; i++) {
            String key = "key" + i;
            assertThat(Samples.get(engine, key)).isEqualTo(acknowledged.get(key));
        }
        assertThat(Samples.scan(engine, "", null)).hasSize(2 * acknowledged.size());
    }

    /// Asserts that a reopened store holds all acknowledged writes, and of the others only possible values.
    synchronized void assertAnyOutcome(LsmEngine engine) {
        for (int i = 0; i < KEYS; i++) {
            String key = "key" + i;
            Set<@Nullable String> allowed = new HashSet<>(open.getOrDefault(key, Set.of()));
            allowed.add(acknowledged.get(key));
            String found = Samples.get(engine, key);
            assertThat(allowed).as("what %s may have", key).contains(found);
            assertThat(Samples.get(engine, key + "+")).as("written together").isEqualTo(found);
        }
    }
}
