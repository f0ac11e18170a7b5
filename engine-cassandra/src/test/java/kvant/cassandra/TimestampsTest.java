package kvant.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Times that only grow, whatever the clock does.
class TimestampsTest {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.ofEpochSecond(1_000, 5_000));
    private final Timestamps timestamps = new Timestamps(now::get);

    @Test
    void theyAreMicrosecondsOfTheClock() {
        assertThat(timestamps.next()).isEqualTo(1_000_000_006L);
        now.set(Instant.ofEpochSecond(1_001));
        assertThat(timestamps.next()).isEqualTo(1_001_000_000L);
    }

    @Test
    void aClockThatStandsOrGoesBackDoesNotHoldThem() {
        long first = timestamps.next();
        assertThat(timestamps.next()).isEqualTo(first + 1);
        now.set(Instant.ofEpochSecond(1));
        assertThat(timestamps.next()).isEqualTo(first + 2);
        assertThat(timestamps.last()).isEqualTo(first + 2);
    }
}
