package kvant.cassandra;

import static kvant.engine.Samples.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import kvant.engine.ConditionFailedException;
import kvant.engine.Engine;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.engine.Samples;
import kvant.engine.WriteBatch;

/// A few clients that write new keys and read them back, each one request after the other, and remember what was
/// acknowledged.
final class QuorumLoad implements AutoCloseable {

    private static final int CLIENTS = 4;

    record Failed(long endedNanos, String what) {}

    private final Engine engine;
    private final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
    private final Queue<Failed> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong longestNanos = new AtomicLong();
    private final List<Thread> clients = new ArrayList<>();
    private volatile boolean stopped;

    QuorumLoad(Engine engine) {
        this.engine = engine;
        for (int i = 0; i < CLIENTS; i++) {
            int client = i;
            clients.add(Thread.ofVirtual().start(() -> run(client)));
        }
    }

    /// Waits until so many more writes have been acknowledged.
    void awaitMore(int writes) {
        int target = acknowledged.size() + writes;
        await().atMost(Duration.ofMinutes(1)).until(() -> acknowledged.size() >= target);
    }

    void stop() {
        stopped = true;
        for (Thread client : clients) {
            try {
                client.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    List<Failed> failuresAfter(long nanos) {
        return failures.stream()
                .filter(failed -> nanos == 0 || failed.endedNanos() - nanos > 0)
                .toList();
    }

    long longestNanos() {
        return longestNanos.get();
    }

    /// Every acknowledged write is read back by a quorum.
    void assertNothingLost() {
        assertThat(acknowledged).isNotEmpty();
        for (String key : acknowledged) {
            assertThat(Samples.valueOf(Samples.read(engine, bytes(key))))
                    .as(key)
                    .isEqualTo(key);
        }
    }

    @Override
    public void close() {
        stop();
    }

    private void run(int client) {
        for (int i = 0; !stopped; i++) {
            String key = client + "/" + i;
            if (timed("put " + key, () -> put(key))) {
                acknowledged.add(key);
                timed("get " + key, () -> {
                    if (!(Samples.read(engine, bytes(key)) instanceof Lookup.Found)) {
                        failures.add(new Failed(System.nanoTime(), "lost " + key));
                    }
                });
            }
        }
    }

    private void put(String key) {
        try {
            engine.write(WriteBatch.of(Samples.put(key, key)));
        } catch (ConditionFailedException e) {
            throw new AssertionError(e);
        }
    }

    /// @return whether it succeeded
    private boolean timed(String what, Runnable request) {
        long beganNanos = System.nanoTime();
        boolean succeeded = false;
        try {
            request.run();
            succeeded = true;
        } catch (EngineException e) {
            failures.add(new Failed(System.nanoTime(), what + ": " + e.getMessage()));
        }
        longestNanos.accumulateAndGet(System.nanoTime() - beganNanos, Math::max);
        return succeeded;
    }
}
