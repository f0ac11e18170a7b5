package kvant.engine;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// Level of a [LocalEngine]: reads that never block.
interface LocalReadContract extends ContractFixture {

    @Test
    default void aCompletedWriteIsVisibleInItsOwnCompletion() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(200);
        AtomicBoolean seen = new AtomicBoolean(true);
        for (int i = 0; i < 200; i++) {
            byte[] key = bytes("key" + i);
            CompletionSink looking = new CompletionSink() {
                @Override
                public void completed(Write write) {
                    if (local().tryGet(key) == Lookup.Miss.ABSENT) {
                        seen.set(false);
                    }
                    done.countDown();
                }

                @Override
                public void wake() {}
            };
            engine().submit(new Write(WriteBatch.of(new Mutation.Put(key, bytes("v"))), looking));
        }
        assertThat(done.await(Samples.timeoutNanos(), TimeUnit.NANOSECONDS)).isTrue();
        assertThat(seen).isTrue();
    }

    @Test
    default void aClosedEngineRefusesReadsThatMayNotBlock() {
        write(engine(), put("a", "1"));
        LocalEngine closed = local();
        closed.close();
        assertThatThrownBy(() -> closed.tryGet(bytes("a"))).isInstanceOf(EngineException.Closed.class);
    }

    private LocalEngine local() {
        return (LocalEngine) engine();
    }
}
