package kvant.load.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import kvant.load.workload.Operation;
import org.junit.jupiter.api.Test;

/// The slowest requests are kept exactly, in room that does not grow.
class SlowestHeapTest {

    private static void offer(SlowestHeap keeper, long due, long nanos) {
        if (keeper.isSlow(nanos)) {
            keeper.keep(due, due + 1, due + 2, due + nanos - 1, due + nanos, (int) (due % 65_536), Operation.GET, 200);
        }
    }

    @Test
    void theSlowestAreKeptWhereverInTheRunTheyCame() {
        long seed = Long.getLong("kvant.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int most : new int[] {1, 2, 3, 100}) {
            for (boolean falling : new boolean[] {true, false}) {
                SlowestHeap keeper = new SlowestHeap(most);
                long[] drawn = random.longs(5_000, 10, 2_000).toArray();
                if (falling) {
                    drawn = LongStream.of(drawn)
                            .map(nanos -> -nanos)
                            .sorted()
                            .map(nanos -> -nanos)
                            .toArray();
                }
                for (int i = 0; i < drawn.length; i++) {
                    offer(keeper, i * 10_000L, drawn[i]);
                }
                long[] kept = keeper.all().stream()
                        .mapToLong(SlowRequest::responseNanos)
                        .sorted()
                        .toArray();
                long[] slowest =
                        LongStream.of(drawn).sorted().skip(drawn.length - most).toArray();
                assertThat(kept).as("seed %d", seed).isEqualTo(slowest);
            }
        }
    }

    @Test
    void everythingThatIsKnownOfARequestIsKept() {
        SlowestHeap keeper = new SlowestHeap(2);
        keeper.keep(10, 11, 12, 18, 19, 4711, Operation.PUT, 201);
        keeper.keep(20, 20, 22, 28, 40, 4712, Operation.SCAN, 503);

        assertThat(keeper.all())
                .containsExactlyInAnyOrder(
                        new SlowRequest(10, 11, 12, 18, 19, 4711, Operation.PUT, 201),
                        new SlowRequest(20, 20, 22, 28, 40, 4712, Operation.SCAN, 503));
    }

    @Test
    void whoKeepsNothingFindsNothingSlow() {
        assertThat(SlowestHeap.NONE.isSlow(Long.MAX_VALUE - 1)).isFalse();
        assertThat(SlowestHeap.NONE.all()).isEmpty();
    }

    @Test
    void ofAllLoopsTheSlowestShareIsTaken() {
        SlowestHeap one = new SlowestHeap(100);
        SlowestHeap two = new SlowestHeap(100);
        for (int i = 0; i < 50; i++) {
            offer(one, i * 10_000L, 1_000 + i);
            offer(two, i * 10_000L, 2_000 + i);
        }
        SlowestRequests slowest = SlowestRequests.of(List.of(one, two), 3_000, 0.02);

        assertThat(slowest.requests()).hasSize(60);
        assertThat(slowest.requests().getFirst().responseNanos()).isEqualTo(2_049);
        assertThat(slowest.thresholdNanos()).isEqualTo(1_040);
        assertThat(SlowestRequests.of(List.of(one, two), 7, 0.001).requests()).hasSize(1);
        assertThat(SlowestRequests.of(List.of(one, two), 0, 0.001).thresholdNanos())
                .isPositive();
        assertThat(SlowestRequests.of(List.of(one, two), 100, 0).requests()).isEmpty();
        assertThat(SlowestRequests.perLoop(1)).isEqualTo(SlowestRequests.MOST);
        assertThat((long) SlowestRequests.perLoop(256) * 256).isLessThanOrEqualTo(16L * SlowestRequests.MOST);
    }
}
