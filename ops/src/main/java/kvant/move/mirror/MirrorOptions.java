package kvant.move.mirror;

import java.time.Duration;

/// The bounds of a mirror.
///
/// @param bytesPerSecond how fast the source is read while copying; 0 for no limit
/// @param deadline how long a client's write waits for the target at most
/// @param pause before the target is asked again after a failure; doubles up to 64 times that
/// @param maxRepairBytes most memory for keys in which the target may differ; beyond it copying starts again
/// @param maxPendingBytes most bytes of clients' writes without an outcome; more are refused as busy
public record MirrorOptions(
        long bytesPerSecond, Duration deadline, Duration pause, long maxRepairBytes, long maxPendingBytes) {

    public static final MirrorOptions DEFAULT =
            new MirrorOptions(20L << 20, Duration.ofSeconds(1), Duration.ofMillis(250), 48L << 20, 64L << 20);

    public MirrorOptions {
        if (bytesPerSecond < 0) {
            throw new IllegalArgumentException("a rate is 0 or more bytes a second, not " + bytesPerSecond);
        }
        if (deadline.isNegative() || deadline.isZero()) {
            throw new IllegalArgumentException("a time is more than 0");
        }
    }

    public MirrorOptions withBytesPerSecond(long newRate) {
        return new MirrorOptions(newRate, deadline, pause, maxRepairBytes, maxPendingBytes);
    }

    public MirrorOptions withDeadline(Duration newDeadline) {
        return new MirrorOptions(bytesPerSecond, newDeadline, pause, maxRepairBytes, maxPendingBytes);
    }

    public MirrorOptions withPause(Duration newPause) {
        return new MirrorOptions(bytesPerSecond, deadline, newPause, maxRepairBytes, maxPendingBytes);
    }

    public MirrorOptions withMaxRepairBytes(long newMax) {
        return new MirrorOptions(bytesPerSecond, deadline, pause, newMax, maxPendingBytes);
    }
}
