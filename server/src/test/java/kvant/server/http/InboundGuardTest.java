package kvant.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kvant.server.admit.MemoryBudget;
import kvant.server.admit.MemoryReservation;
import kvant.server.http.contract.HttpLimits;
import org.junit.jupiter.api.Test;

/// Which bodies are too slow, by a clock that the test winds.
class InboundGuardTest {

    private static final long KB = 1 << 10;

    /// 16 KiB/s, and 1 KiB/s more for each 120 KiB that are held.
    private final HttpLimits limits = HttpLimits.defaults().with(l -> {
        l.stallTimeout = Duration.ofSeconds(30);
        l.bodyTimeout = Duration.ofMinutes(10);
        l.bodyFillTimeout = Duration.ofMinutes(2);
        l.minBodyBytesPerSecond = 16 << 10;
    });

    private final LoopClock clock = new LoopClock(limits);
    private final MemoryBudget budget = new MemoryBudget(100 << 20);
    private final List<String> left = new ArrayList<>();
    private final InboundGuard guard =
            new InboundGuard(clock, limits, new MemoryBudget(100 << 20), budget, () -> left.add("left"));
    private final MemoryReservation claim = guard.body;
    private long received;
    private long request;

    @Test
    void whatIsFastEnoughForASmallBodyIsTooSlowForALargeOne() {
        claim.resize(64 * KB);
        assertThat(isTooSlowAt(20 * KB)).isFalse();
        claim.resize(16 << 20);
        assertThat(isTooSlowAt(20 * KB)).isTrue();
        claim.resize(64 * KB);
        assertThat(isTooSlowAt(10 * KB)).isTrue();
    }

    @Test
    void aLargeBodyThatComesFastGoesOn() {
        claim.resize(16 << 20);
        assertThat(isTooSlowAt(200 * KB)).isFalse();
    }

    @Test
    void itsMemoryIsTakenEarlierThanItIsCutOff() {
        claim.resize(16 << 20);
        assertThat(isTooSlowAt(1000 * KB)).isFalse();
        assertThat(budget.slowHolders()).isOne();
        assertThat(isTooSlowAt(3000 * KB)).isFalse();
        assertThat(budget.slowHolders()).isZero();
        assertThat(isTooSlowAt(1000 * KB)).isFalse();
        assertThat(budget.claim(70 << 20, 0)).isTrue();
        assertThat(left).hasSize(1);
        assertThat(guard.isEvicted()).isTrue();
    }

    @Test
    void aBodyWithoutMemoryIsNoCandidate() {
        assertThat(isTooSlowAt(KB)).isTrue();
        assertThat(budget.slowHolders()).isZero();
    }

    @Test
    void aNewBodyIsMeasuredFromItsBeginning() {
        claim.resize(64 * KB);
        assertThat(isTooSlowAt(20 * KB)).isFalse();
        for (int i = 0; i < 1000; i++) {
            clock.tick();
            guard.isBodyTooSlow(false, request, received);
        }
        assertThat(isTooSlowAt(20 * KB)).isFalse();
    }

    @Test
    void aBodyBehindAnotherHasATimeOfItsOwn() {
        claim.resize(64 * KB);
        for (int i = 0; i < 60; i++) {
            assertThat(isTooSlowAt(1000 * KB)).as("a minute of another hour").isFalse();
            request++;
        }
        boolean over = false;
        for (int i = 0; i < 11; i++) {
            over |= isTooSlowAt(1000 * KB);
        }
        assertThat(over).as("eleven minutes of one").isTrue();
    }

    /// Receives at this rate for longer than a window of the lowest rate.
    private boolean isTooSlowAt(long bytesPerSecond) {
        boolean slow = false;
        long ticks = 2 * limits.stallTimeout().toNanos() / clock.tickNanos;
        for (int i = 0; i < ticks; i++) {
            clock.tick();
            received += bytesPerSecond * clock.tickNanos / Duration.ofSeconds(1).toNanos();
            slow |= guard.isBodyTooSlow(true, request, received);
        }
        return slow;
    }
}
