package kvant.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import kvant.server.admit.AnswerMemory;
import kvant.server.http.contract.HttpLimits;
import org.junit.jupiter.api.Test;

/// Detection of slow readers, and the one to close first, by a clock that the test moves.
class OutboundGuardTest {

    private static final long MIB = 1 << 20;
    private static final long TICKS_PER_SECOND = 2;

    private final HttpLimits limits = HttpLimits.defaults();
    private final LoopClock clock = new LoopClock(limits);
    private final AnswerMemory memory = new AnswerMemory(64 * MIB);
    private int left;
    private final OutboundGuard guard = new OutboundGuard(clock, limits, memory, () -> left++);
    private long takenBytes;

    @Test
    void aSlowButSteadyClientMayTakeTwelveMebibytes() {
        assertThat(secondsUntilTooSlow(12 * MIB, 40 << 10)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void theLowestRateGrowsWithWhatIsHeld() {
        assertThat(secondsUntilTooSlow(63 * MIB, 40 << 10)).isBetween(30L, 32L);
        assertThat(secondsUntilTooSlow(63 * MIB, 120 << 10)).isEqualTo(Long.MAX_VALUE);
        assertThat(secondsUntilTooSlow(12 * MIB, 10 << 10)).isBetween(30L, 32L);
        assertThat(secondsUntilTooSlow(64 << 10, 200)).isEqualTo(Long.MAX_VALUE);
        assertThat(secondsUntilTooSlow(0, 1)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void onlyASlowReaderGoesForAnother() {
        assertThat(memory.shared().claim(20 * MIB, 0)).isTrue();
        for (int i = 0; i < 60; i++) {
            look(20 * MIB, MIB);
            assertThat(memory.shared().claim(40 * MIB, 0)).isFalse();
        }
        for (int i = 0; i < 6; i++) {
            look(20 * MIB, 0);
        }
        assertThat(memory.shared().claim(40 * MIB, 0)).isTrue();
        assertThat(left).isEqualTo(1);
        assertThat(guard.isEvicted()).isTrue();
        memory.shared().release(20 * MIB);
        guard.gone();
        assertThat(guard.isEvicted()).isFalse();
        assertThat(memory.shared().claimedBytes()).isEqualTo(40 * MIB);
    }

    @Test
    void whoBeginsIsNotTakenForSlowAtOnce() {
        assertThat(memory.longest().claim(60 * MIB, 0)).isTrue();
        guard.isTooSlow(0, 0, 60 * MIB);
        clock.tick();
        guard.isTooSlow(0, 0, 60 * MIB);
        assertThat(memory.longest().claim(60 * MIB, 0)).isFalse();
    }

    @Test
    void whoGetsOnAgainOrIsDoneStays() {
        assertThat(memory.shared().claim(20 * MIB, 0)).isTrue();
        for (int i = 0; i < 10; i++) {
            look(20 * MIB, 0);
        }
        for (int i = 0; i < 3; i++) {
            look(20 * MIB, MIB);
        }
        assertThat(memory.shared().claim(40 * MIB, 0)).isFalse();
        for (int i = 0; i < 10; i++) {
            look(20 * MIB, 0);
        }
        guard.rest();
        assertThat(memory.shared().claim(40 * MIB, 0)).isFalse();
        assertThat(left).isZero();
    }

    /// Of a client that takes so much a second.
    private static long secondsUntilTooSlow(long heldBytes, long bytesPerSecond) {
        HttpLimits limits = HttpLimits.defaults();
        LoopClock clock = new LoopClock(limits);
        OutboundGuard guard = new OutboundGuard(clock, limits, new AnswerMemory(Long.MAX_VALUE / 8), () -> {});
        long most = Duration.ofHours(1).toSeconds();
        for (long tick = 0; tick < most * TICKS_PER_SECOND; tick++) {
            long taken = tick * bytesPerSecond / TICKS_PER_SECOND;
            if (heldBytes > 0 && taken >= heldBytes) {
                break;
            }
            if (guard.isTooSlow(taken, heldBytes, 0)) {
                return tick / TICKS_PER_SECOND;
            }
            clock.tick();
        }
        return Long.MAX_VALUE;
    }

    private void look(long heldBytes, long moreBytes) {
        takenBytes += moreBytes;
        guard.isTooSlow(takenBytes, heldBytes, 0);
        clock.tick();
    }
}
