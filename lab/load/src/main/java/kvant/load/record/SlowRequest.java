package kvant.load.record;

import kvant.load.workload.Operation;

/// One of the slowest requests of a run. Times are of `System.nanoTime()`.
///
/// @param freeNanos when its connection had room for it; not before it was due
/// @param readyNanos when the generator woke up and found its answer; equal to `receivedNanos` where there was none
/// @param receivedNanos when its answer was read, or it was given up
/// @param sentNanos equal to `receivedNanos` where it never was
/// @param port local port of its connection
/// @param status 0 where there was no answer
public record SlowRequest(
        long dueNanos,
        long freeNanos,
        long sentNanos,
        long readyNanos,
        long receivedNanos,
        int port,
        Operation operation,
        int status) {

    /// From when it was due; what the histogram of response times has of it.
    public long responseNanos() {
        return receivedNanos - dueNanos;
    }
}
