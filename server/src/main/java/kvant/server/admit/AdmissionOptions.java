package kvant.server.admit;

import java.time.Duration;
import java.util.function.Consumer;
import kvant.text.Drafts;

/// The settings of admission control, which refuses requests although there is room for them.
///
///     AdmissionOptions.defaults().with(a -> a.deadline = Duration.ofSeconds(1))
///
/// @param deadline longest wait of a request before it is begun, unless the request sets its own; zero for no
///     deadline
/// @param targetDelay longest wait for a worker while a queue is standing; zero for no such control
/// @param standing time without being empty after which a queue is a standing one
/// @param adaptive whether requests in flight are also bounded by their measured durations (a gradient limit)
public record AdmissionOptions(Duration deadline, Duration targetDelay, Duration standing, boolean adaptive) {

    public static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(10);

    /// With [#DEFAULT_STANDING] the values that Maurer, "Fail at Scale" (ACM Queue, 2015), found to suit most
    /// services.
    public static final Duration DEFAULT_TARGET_DELAY = Duration.ofMillis(5);

    public static final Duration DEFAULT_STANDING = Duration.ofMillis(100);

    public AdmissionOptions {
        if (deadline.isNegative() || targetDelay.isNegative() || standing.isNegative()) {
            throw new IllegalArgumentException("a time of admission is not negative");
        }
    }

    public static AdmissionOptions defaults() {
        return Drafts.made(AdmissionOptions.class, new Draft());
    }

    /// Refuses only by a full queue.
    public static AdmissionOptions none() {
        return defaults().with(a -> {
            a.deadline = Duration.ZERO;
            a.targetDelay = Duration.ZERO;
        });
    }

    /// These options with some changed.
    public AdmissionOptions with(Consumer<Draft> change) {
        return Drafts.changed(AdmissionOptions.class, this, new Draft(), change);
    }

    /// Options in the making; begins with the defaults.
    public static final class Draft {

        public Duration deadline = DEFAULT_DEADLINE;
        public Duration targetDelay = DEFAULT_TARGET_DELAY;
        public Duration standing = DEFAULT_STANDING;
        public boolean adaptive;

        private Draft() {}
    }
}
