package kvant.server.admit;

import static org.assertj.core.api.Assertions.assertThat;

import kvant.server.admit.LoopAdmission.GradientLimit;
import org.junit.jupiter.api.Test;

/// A limit that follows the times of calls.
class GradientLimitTest {

    private static final long USUAL_NANOS = 1_000_000;

    private final GradientLimit limit = new GradientLimit(1000);

    @Test
    void itGrowsWhileTimesStayTheSameUpToItsBound() {
        run(20_000, USUAL_NANOS);
        assertThat(limit.current()).isEqualTo(1000);
        assertThat(limit.allows(999)).isTrue();
        assertThat(limit.allows(1000)).isFalse();
    }

    @Test
    void itFallsWhileTimesGrowAndRisesAgain() {
        run(2000, USUAL_NANOS);
        int before = limit.current();
        run(1000, 10 * USUAL_NANOS);
        int under = limit.current();
        assertThat(under).isLessThan(before / 2).isGreaterThanOrEqualTo(GradientLimit.LEAST);
        run(20_000, USUAL_NANOS);
        assertThat(limit.current()).isGreaterThan(before);
    }

    @Test
    void aLoadThatDoesNotReachItChangesNothing() {
        int before = limit.current();
        for (int i = 0; i < 10_000; i++) {
            limit.sample(USUAL_NANOS, 1);
        }
        assertThat(limit.current()).isEqualTo(before);
    }

    private void run(int calls, long nanos) {
        for (int i = 0; i < calls; i++) {
            limit.sample(nanos, limit.current());
        }
    }
}
