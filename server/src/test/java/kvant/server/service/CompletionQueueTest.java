package kvant.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.server.ExecutorKind;
import kvant.server.MemoryEngine;
import kvant.server.admit.AdmissionOptions;
import kvant.server.admit.AnswerMemory;
import kvant.server.execute.PoolOptions;
import org.junit.jupiter.api.Test;

/// Deliveries and turns on the way back to an event loop.
class CompletionQueueTest {

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final RequestHandler handler = new RequestHandler(
            new MemoryEngine(),
            InstantSource.system(),
            new ServiceOptions(1, 1, PoolOptions.classic(1), null, AdmissionOptions.none()),
            new AnswerMemory(0),
            ExecutorKind.SYNC::open);
    private final CompletionQueue mailbox = handler.mailbox(tasks::add);

    @Test
    void aDeliveryThatFailsKeepsNobodyWaiting() {
        AtomicInteger arrived = new AtomicInteger();
        for (int i = 0; i < 2000; i++) {
            boolean fails = i % 7 == 0;
            mailbox.deliver(() -> {
                arrived.incrementAndGet();
                if (fails) {
                    throw new IllegalStateException("planted");
                }
            });
        }
        runAll();
        assertThat(arrived).hasValue(2000);
        mailbox.deliver(arrived::incrementAndGet);
        runAll();
        assertThat(arrived).as("the loop is woken again").hasValue(2001);
    }

    /// Several answers of a connection leave in one write, and no task is spent on it.
    @Test
    void aTurnIsGivenInTheSameTaskOnceAllThatIsThereHasArrived() {
        List<String> order = new ArrayList<>();
        mailbox.deliver(() -> {
            order.add("first");
            mailbox.soon(() -> order.add("turn"));
        });
        mailbox.deliver(() -> order.add("second"));
        tasks.remove().run();
        assertThat(order).containsExactly("first", "second", "turn");
        assertThat(tasks).isEmpty();
    }

    @Test
    void whoAsksForATurnDuringOneGetsItLater() {
        List<String> order = new ArrayList<>();
        mailbox.soon(() -> {
            order.add("turn");
            mailbox.soon(() -> order.add("another"));
        });
        tasks.remove().run();
        assertThat(order).containsExactly("turn");
        runAll();
        assertThat(order).containsExactly("turn", "another");
    }

    private void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }
}
