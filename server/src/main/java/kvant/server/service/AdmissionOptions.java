package kvant.server.service;

import java.time.Duration;

/// Which requests are turned away although there is room for them.
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
        return new AdmissionOptions(DEFAULT_DEADLINE, DEFAULT_TARGET_DELAY, DEFAULT_STANDING, false);
    }

    /// Nothing is turned away but for what a full queue is.
    public static AdmissionOptions none() {
        return new AdmissionOptions(Duration.ZERO, Duration.ZERO, DEFAULT_STANDING, false);
    }

    public AdmissionOptions withDeadline(Duration time) {
        return new AdmissionOptions(time, targetDelay, standing, adaptive);
    }

    public AdmissionOptions withTargetDelay(Duration time) {
        return new AdmissionOptions(deadline, time, standing, adaptive);
    }

    public AdmissionOptions withAdaptive(boolean on) {
        return new AdmissionOptions(deadline, targetDelay, standing, on);
    }
}
