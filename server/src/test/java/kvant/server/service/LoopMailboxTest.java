package kvant.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.server.MemoryEngine;
import kvant.server.admit.AdmissionOptions;
import kvant.server.admit.AnswerMemory;
import kvant.server.execute.PoolOptions;
import org.junit.jupiter.api.Test;

/// What happens on the way back to an event loop.
class LoopMailboxTest {

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final RequestHandler handler = RequestHandler.sync(
            new MemoryEngine(),
            InstantSource.system(),
            new ServiceOptions(1, 1, PoolOptions.classic(1), null, AdmissionOptions.none()),
            new AnswerMemory(0));
    private final LoopMailbox mailbox = handler.mailbox(tasks::add);

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

    private void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }
}
