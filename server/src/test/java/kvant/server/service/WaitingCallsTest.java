package kvant.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the structures have in common, whatever their order.
class WaitingCallsTest {

    private static final int CALLS = 100;

    static Stream<PoolOptions> structures() {
        PoolOptions linked = PoolOptions.classic(1).withStructure(PoolOptions.Structure.LINKED);
        return Stream.of(
                PoolOptions.classic(1).withStructure(PoolOptions.Structure.MPMC),
                linked,
                linked.withOrder(PoolOptions.Order.LIFO),
                linked.withOrder(PoolOptions.Order.ADAPTIVE));
    }

    /// A worker that is faster by a moment has the call for itself: it would be answered twice. (Nobody is faster than
    /// who has the lock of the array.)
    @ParameterizedTest
    @MethodSource("structures")
    void nobodyGetsWhatAWorkerTookMeanwhile(PoolOptions options) {
        WaitingCalls waiting = WaitingCalls.of(options, CALLS, new StandingQueue(AdmissionOptions.none()));
        for (int i = 0; i < CALLS; i++) {
            waiting.offer("call " + i);
        }
        List<Object> served = new ArrayList<>();
        List<Object> removed = new ArrayList<>();
        int[] asked = {0};
        waiting.removeIf(
                _ -> {
                    if (asked[0]++ % 2 == 0) {
                        served.add(waiting.pollOldest());
                    }
                    return true;
                },
                removed);

        List<Object> all = new ArrayList<>(served);
        all.addAll(removed);
        for (Object left = waiting.poll(); left != null; left = waiting.poll()) {
            all.add(left);
        }
        all.removeIf(each -> each == null);
        assertThat(all).doesNotHaveDuplicates().hasSize(CALLS);
        assertThat(removed).as("the others are removed all the same").isNotEmpty();
    }
}
