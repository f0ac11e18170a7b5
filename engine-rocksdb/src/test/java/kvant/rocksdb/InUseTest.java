package kvant.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.engine.Crew;
import kvant.engine.EngineException;
import org.junit.jupiter.api.Test;

class InUseTest {

    @Test
    void aClosedOneLetsNobodyIn() {
        InUse inUse = new InUse();
        inUse.exit(inUse.enter());
        inUse.close();
        assertThatThrownBy(inUse::enter).isInstanceOf(EngineException.Closed.class);
    }

    @Test
    void closeWaitsForWhoeverIsInside() {
        InUse inUse = new InUse();
        int ticket = inUse.enter();
        AtomicBoolean closed = new AtomicBoolean();
        try (Crew crew = new Crew()) {
            crew.start(() -> {
                inUse.close();
                closed.set(true);
                return closed;
            });
            await().until(inUse::isClosed);
            assertThat(closed).isFalse();
            inUse.exit(ticket);
            crew.join();
            assertThat(closed).isTrue();
        }
    }

    @Test
    void nobodyIsInsideAfterClose() {
        for (int round = 0; round < 20; round++) {
            InUse inUse = new InUse();
            AtomicInteger inside = new AtomicInteger();
            AtomicInteger entered = new AtomicInteger();
            Crew.runAll(4, number -> {
                if (number == 0) {
                    while (entered.get() < 50) {
                        Thread.onSpinWait();
                    }
                    inUse.close();
                    assertThat(inside).hasValue(0);
                    return;
                }
                while (!inUse.isClosed()) {
                    try {
                        int ticket = inUse.enter();
                        inside.incrementAndGet();
                        entered.incrementAndGet();
                        Thread.yield();
                        inside.decrementAndGet();
                        inUse.exit(ticket);
                    } catch (EngineException.Closed _) {
                        return;
                    }
                }
            });
        }
    }
}
