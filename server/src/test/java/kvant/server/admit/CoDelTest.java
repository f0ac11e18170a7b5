package kvant.server.admit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Which queues stand.
class CoDelTest {

    private static final long SOON = Duration.ofMillis(50).toNanos();
    private static final long LATER = Duration.ofSeconds(10).toNanos();

    private final CoDel queue = new CoDel(AdmissionOptions.defaults());
    private final long now = System.nanoTime();

    @Test
    void whoIsTheOnlyOneThatWaitsDoesSoInNoStandingQueue() {
        queue.arrived(now);
        assertThat(queue.isStanding(now + LATER)).isFalse();
        queue.arrived(now);
        assertThat(queue.isStanding(now + SOON)).isFalse();
        assertThat(queue.isStanding(now + LATER)).isTrue();
        queue.left();
        assertThat(queue.isStanding(now + LATER)).isFalse();
        queue.turnedAway(now + LATER);
        assertThat(queue.isStanding(now + LATER))
                .as("also when others were turned away")
                .isFalse();
    }

    @Test
    void noQueueStandsWhileAWorkerIsIdle() {
        queue.idles();
        queue.arrived(now);
        queue.arrived(now);
        queue.turnedAway(now + LATER);
        assertThat(queue.isStanding(now + LATER)).isFalse();
    }

    /// A worker that had nothing to do and took long to wake is no reason to turn anybody away.
    @Test
    void whatWaitedForAnIdleWorkerToComeHasNotStood() {
        queue.idles();
        queue.arrived(now - LATER);
        queue.arrived(now - LATER);
        queue.works();
        assertThat(queue.isStanding(System.nanoTime())).isFalse();
        assertThat(queue.isStanding(System.nanoTime() + LATER)).isTrue();
    }

    @Test
    void aQueueThatWasTurnedAwayStandsAgainAsSoonAsTwoWait() {
        queue.arrived(now);
        queue.turnedAway(now);
        queue.left();
        queue.arrived(now);
        queue.arrived(now);
        assertThat(queue.isStanding(now + SOON)).isTrue();
    }
}
