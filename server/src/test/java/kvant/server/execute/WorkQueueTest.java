package kvant.server.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import kvant.server.admit.AdmissionOptions;
import kvant.server.admit.CoDel;
import kvant.server.admit.RequestKind;
import kvant.server.execute.WorkQueue.Waiting;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Behaviour common to the structures, whatever their order.
class WorkQueueTest {

    private static final int CALLS = 100;

    /// A call that is never run.
    private static final class Queued implements RunnableCall {

        @Override
        public RequestKind kind() {
            return RequestKind.READ;
        }

        @Override
        public long queuedNanos() {
            return 0;
        }

        @Override
        public boolean isUnwanted() {
            return false;
        }

        @Override
        public boolean isOverdue(long nowNanos) {
            return false;
        }

        @Override
        public void threadFree(boolean free) {}

        @Override
        public void startedAt(long nanos) {}

        @Override
        public Progress tryRun(CallExecutor executor) {
            return Progress.WOULD_BLOCK;
        }

        @Override
        public boolean run(CallExecutor executor) {
            return true;
        }

        @Override
        public void arrive() {}

        @Override
        public void deliver() {}

        @Override
        public void refuse(Refusal reason) {}
    }

    static Stream<PoolOptions> structures() {
        PoolOptions one = PoolOptions.classic(1);
        return Stream.of(
                one.withQueue(PoolOptions.UNBOUNDED),
                one.with(p -> p.order = PoolOptions.Order.LIFO),
                one.with(p -> p.order = PoolOptions.Order.ADAPTIVE));
    }

    /// A worker that is faster by a moment has the call for itself: it would be answered twice. (None is faster with
    /// the array, whose lock is held.)
    @ParameterizedTest
    @MethodSource("structures")
    void nobodyGetsWhatAWorkerTookMeanwhile(PoolOptions options) {
        WorkQueue waiting = new WorkQueue(options, CALLS, new CoDel(AdmissionOptions.none()));
        for (int i = 0; i < CALLS; i++) {
            waiting.offer(new Queued());
        }
        List<Waiting> served = new ArrayList<>();
        List<Waiting> removed = new ArrayList<>();
        int[] asked = {0};
        waiting.removeIf(
                _ -> {
                    if (asked[0]++ % 2 == 0) {
                        served.add(waiting.pollOldest());
                    }
                    return true;
                },
                removed);

        List<Waiting> all = new ArrayList<>(served);
        all.addAll(removed);
        for (Waiting left = waiting.poll(); left != null; left = waiting.poll()) {
            all.add(left);
        }
        all.removeIf(each -> each == null);
        assertThat(all).doesNotHaveDuplicates().hasSize(CALLS);
        assertThat(removed).as("the others are removed all the same").isNotEmpty();
    }
}
