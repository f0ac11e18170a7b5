package kvant.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import kvant.lab.process.JfrEvents.Allocation;
import org.junit.jupiter.api.Test;

class AllocationTest {

    private static final long SECOND = 1_000_000_000L;

    private final Allocation allocation = new Allocation(Instant.EPOCH);

    @Test
    void whatWasAllocatedBeforeDoesNotCount() {
        for (int second = -5; second <= 12; second++) {
            allocation.add(1, second * SECOND, 1_000_000 + second * 1000L);
            allocation.add(2, second * SECOND + 5, 50);
        }

        assertThat(allocation.during(10 * SECOND)).isEqualTo(10_000);
    }

    @Test
    void samplesNeedNotFallOnTheEnds() {
        for (int i = 0; i < 12; i++) {
            allocation.add(1, i * SECOND - SECOND / 3, 9000 + i * 3000L);
        }

        assertThat(allocation.during(10 * SECOND)).isEqualTo(30_000);
    }

    @Test
    void aThreadThatBeganOrEndedMeanwhileCountsFromItsBeginningToItsEnd() {
        for (int second = -1; second <= 10; second++) {
            allocation.add(1, second * SECOND, 100);
        }
        allocation.add(2, 4 * SECOND, 700);
        allocation.add(2, 5 * SECOND, 900);
        allocation.add(3, -SECOND, 5000);
        allocation.add(3, SECOND, 7000);

        assertThat(allocation.during(10 * SECOND)).isEqualTo(900 + 1000);
    }

    @Test
    void theLastSecondIsTakenToBeLikeTheRest() {
        for (int second = 0; second <= 9; second++) {
            allocation.add(1, second * SECOND, second * 1000L);
        }

        assertThat(allocation.during(10 * SECOND)).isEqualTo(10_000);
    }

    @Test
    void tooLittleIsNotMeasured() {
        assertThat(allocation.during(SECOND)).isZero();
        allocation.add(1, SECOND, 10);
        allocation.add(1, 3 * SECOND, 1000);

        assertThat(allocation.during(10 * SECOND)).isZero();
    }
}
