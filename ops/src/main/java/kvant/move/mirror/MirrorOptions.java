package kvant.move.mirror;

import java.time.Duration;

/// The limits of a mirror.
///
/// @param bytesPerSecond maximum read rate from the source while copying; 0 for no limit
/// @param deadline maximum time that a client's write waits for the target
/// @param pause before a retry after a failure of the target; doubles up to 64 times this value
/// @param maxRepairBytes maximum memory for keys in which the target may differ; beyond it copying starts again
/// @param maxPendingBytes maximum total size of clients' unfinished writes; further ones are refused as busy
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
}
