package kvant.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The requests of a connection that may run, and those that wait.
class RequestOrderTest {

    private static final int RUNS = 2000;

    private record Asked(int number, RequestOrder.Lane lane) implements RequestOrder.Member {

        static Asked read(int number) {
            return new Asked(number, RequestOrder.Lane.SAFE);
        }

        static Asked write(int number) {
            return new Asked(number, RequestOrder.Lane.UNSAFE);
        }

        @Override
        public boolean isSafe() {
            return lane == RequestOrder.Lane.SAFE;
        }
    }

    private static final RequestOrder.Lane[] LANES = RequestOrder.Lane.values();

    private final RequestOrder<Asked> order = new RequestOrder<>();

    @Test
    void readsGoSideBySideAndSoDoWrites() {
        assertThat(order.admits(Asked.read(1))).isTrue();
        assertThat(order.admits(Asked.read(2))).isTrue();
        order.ended();
        order.ended();
        assertThat(order.admits(Asked.write(3))).isTrue();
        assertThat(order.isQuiet()).isFalse();
        assertThat(order.admits(Asked.write(4))).isTrue();
        order.ended();
        order.ended();
        assertThat(order.isQuiet()).isTrue();
    }

    @Test
    void aReadWaitsForEveryWriteBeforeItAndKeepsThoseBehindIt() {
        Asked read = Asked.read(3);
        Asked write = Asked.write(4);
        order.admits(Asked.write(1));
        order.admits(Asked.write(2));
        assertThat(order.admits(read)).isFalse();
        order.hold(read);
        assertThat(order.admits(write)).as("behind a read that waits").isFalse();
        order.hold(write);
        order.ended();
        assertThat(order.next()).isNull();
        order.ended();
        assertThat(order.next()).isEqualTo(read);
        assertThat(order.next()).as("the read is under way").isNull();
        order.ended();
        assertThat(order.next()).isEqualTo(write);
        assertThat(order.next()).isNull();
    }

    @Test
    void nobodyWaitsAfterTheEnd() {
        order.admits(Asked.write(1));
        order.hold(Asked.read(2));
        order.clear();
        order.ended();
        assertThat(order.next()).isNull();
    }

    /// In any order of ends, each begins in its turn, conflicting ones never overlap, and none is left behind.
    @Test
    void anyRequestsInAnyTimeKeepTheOrder() {
        for (int seed = 0; seed < RUNS; seed++) {
            Random random = new Random(seed);
            RequestOrder<Asked> tried = new RequestOrder<>();
            List<Asked> underWay = new ArrayList<>();
            List<Asked> begun = new ArrayList<>();
            int requests = 1 + random.nextInt(30);
            for (int asked = 0; asked < requests || !underWay.isEmpty(); ) {
                if (asked < requests && random.nextBoolean()) {
                    Asked next = new Asked(asked++, LANES[random.nextInt(LANES.length)]);
                    if (tried.admits(next)) {
                        begins(next, underWay, begun, seed);
                    } else {
                        tried.hold(next);
                    }
                } else if (!underWay.isEmpty()) {
                    underWay.remove(random.nextInt(underWay.size()));
                    tried.ended();
                    for (Asked next = tried.next(); next != null; next = tried.next()) {
                        begins(next, underWay, begun, seed);
                    }
                }
            }
            assertThat(begun).as("seed " + seed).hasSize(requests);
        }
    }

    private static void begins(Asked next, List<Asked> underWay, List<Asked> begun, int seed) {
        assertThat(next.number()).as("seed " + seed).isEqualTo(begun.size());
        assertThat(underWay)
                .as("seed " + seed)
                .allMatch(other -> other.lane() == next.lane() && next.lane() != RequestOrder.Lane.ALONE);
        underWay.add(next);
        begun.add(next);
    }
}
