package kvant.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import kvant.client.ClientTransport.Backoff;
import kvant.client.ClientTransport.RetryBudget;
import org.junit.jupiter.api.Test;

/// Spacing and bounds of retries.
class PacingTest {

    private static final Duration FIRST = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private static Duration wait(int failures, long retryAfter, double random) {
        return Duration.ofNanos(new Backoff(FIRST, LONGEST, () -> random).nanosAfter(failures, retryAfter));
    }

    @Test
    void theWaitIsAnyPartOfAWindowThatDoublesUpToABound() {
        assertThat(wait(1, 0, 0)).isZero();
        assertThat(wait(1, 0, 1)).isEqualTo(FIRST);
        assertThat(wait(3, 0, 1)).isEqualTo(FIRST.multipliedBy(4));
        assertThat(wait(3, 0, 0.5)).isEqualTo(FIRST.multipliedBy(2));
        assertThat(wait(7, 0, 1)).isEqualTo(LONGEST);
        assertThat(wait(1000, 0, 1)).isEqualTo(LONGEST);
    }

    @Test
    void whatTheNodeAsksForIsWaitedBesides() {
        assertThat(wait(1, 3, 0)).isEqualTo(Duration.ofSeconds(3));
        assertThat(wait(1, 3, 1)).isEqualTo(Duration.ofSeconds(3).plus(FIRST));
    }

    @Test
    void callsBringAShareOfATryAgainAndABurstIsSavedUp() {
        RetryBudget budget = new RetryBudget(0.1, 2);
        assertThat(granted(budget)).isEqualTo(2);
        IntStream.range(0, 9).forEach(i -> budget.countCall());
        assertThat(granted(budget)).isZero();
        budget.countCall();
        assertThat(granted(budget)).isEqualTo(1);
        IntStream.range(0, 1000).forEach(i -> budget.countCall());
        assertThat(granted(budget)).isEqualTo(2);
    }

    private static int granted(RetryBudget budget) {
        int granted = 0;
        while (budget.take()) {
            granted++;
        }
        return granted;
    }
}
