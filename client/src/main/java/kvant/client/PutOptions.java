package kvant.client;

import java.time.Duration;
import java.util.Optional;

/// The options of a put.
///
///     PutOptions.defaults().when(Condition.absent()).lives(Duration.ofHours(1))
///
/// @param condition precondition of the put
/// @param timeToLive time after which the key reads as absent: whole seconds, 1 or more; empty for no expiry
public record PutOptions(Condition condition, Optional<Duration> timeToLive) {

    /// The longest time to live that a node accepts.
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

    /// The time to live in seconds, the unit of the node.
    static long seconds(Duration timeToLive) {
        if (timeToLive.getSeconds() < 1 || timeToLive.getSeconds() > MAX_SECONDS || timeToLive.getNano() != 0) {
            throw new IllegalArgumentException(
                    "a time to live is whole seconds, 1 to " + MAX_SECONDS + ", not " + timeToLive);
        }
        return timeToLive.getSeconds();
    }
}
