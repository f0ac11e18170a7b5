package kvant.server.admit;

import java.time.Duration;
import java.util.function.Consumer;
import kvant.text.Drafts;

/// Which requests are turned away although there is room for them.
///
///     AdmissionOptions.defaults().with(a -> a.deadline = Duration.ofSeconds(1))
///
/// @param deadline how long a request may wait before it is begun, unless it says so itself; zero for no
///     deadline
/// @param targetDelay how long a request may wait for a worker while a queue is standing; zero for no such
///     control
/// @param standing how long a queue must not have been empty to be a standing one
/// @param adaptive whether requests in flight are also bounded by what their times show (a gradient limit)
public record AdmissionOptions(Duration deadline, Duration targetDelay, Duration standing, boolean adaptive) {

    public static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(10);

    /// With [#DEFAULT_STANDING] what Maurer, "Fail at Scale" (ACM Queue, 2015), found to suit most services.
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

    /// Nothing is turned away but for what a full queue is.
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
