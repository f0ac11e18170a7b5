package kvant.cassandra;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/// Microseconds since the epoch that only grow: the time of a write in the cluster, and its version.
///
/// Any thread may call. A clock that is set back holds them still for a while, in steps of one.
final class Timestamps {

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long NANOS_PER_MICRO = 1_000;

    private final InstantSource clock;
    private final AtomicLong last;

    /// Starts at the current time: earlier writes have older timestamps.
    Timestamps(InstantSource clock) {
        this.clock = clock;
        this.last = new AtomicLong(nowMicros());
    }

    long next() {
        long now = nowMicros();
        return last.updateAndGet(before -> Math.max(before + 1, now));
    }

    /// The newest one.
    long last() {
        return last.get();
    }

    private long nowMicros() {
        Instant now = clock.instant();
        return now.getEpochSecond() * MICROS_PER_SECOND + now.getNano() / NANOS_PER_MICRO;
    }
}
