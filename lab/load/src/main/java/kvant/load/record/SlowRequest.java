package kvant.load.record;

import kvant.load.workload.Operation;

/// One of the slowest requests of a run. Times are from `System.nanoTime()`.
///
/// @param freeNanos time at which its connection had room for it; not before it was due
/// @param readyNanos wake-up of the generator that found its answer; equal to `receivedNanos` without an answer
/// @param receivedNanos time at which its answer was read, or the request was abandoned
/// @param sentNanos equal to `receivedNanos` if it was never sent
/// @param port local port of its connection
/// @param status 0 without an answer
public record SlowRequest(
        long dueNanos,
        long freeNanos,
        long sentNanos,
        long readyNanos,
        long receivedNanos,
        int port,
        Operation operation,
        int status) {

    /// From its due time, as in the histogram of response times.
    public long responseNanos() {
        return receivedNanos - dueNanos;
    }
}
