package kvant.client;

import java.time.Duration;
import java.util.Optional;

/// How a value is put.
///
///     PutOptions.defaults().when(Condition.absent()).lives(Duration.ofHours(1))
///
/// @param condition what must hold
/// @param timeToLive after which the key reads as absent: whole seconds, 1 or more; none for ever
public record PutOptions(Condition condition, Optional<Duration> timeToLive) {

    /// What a node takes.
    private static final long MAX_SECONDS = 9_000_000_000_000_000L;

    private static final PutOptions DEFAULTS = new PutOptions(Condition.none(), Optional.empty());

    public PutOptions {
        timeToLive.ifPresent(PutOptions::seconds);
    }

    public static PutOptions defaults() {
        return DEFAULTS;
    }

    public PutOptions when(Condition changed) {
        return new PutOptions(changed, timeToLive);
    }

    public PutOptions lives(Duration changed) {
        return new PutOptions(condition, Optional.of(changed));
    }

    /// What the node counts in.
    static long seconds(Duration timeToLive) {
        if (timeToLive.getSeconds() < 1 || timeToLive.getSeconds() > MAX_SECONDS || timeToLive.getNano() != 0) {
            throw new IllegalArgumentException(
                    "a time to live is whole seconds, 1 to " + MAX_SECONDS + ", not " + timeToLive);
        }
        return timeToLive.getSeconds();
    }
}
