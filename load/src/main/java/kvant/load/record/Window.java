package kvant.load.record;

import org.HdrHistogram.Histogram;

/// The figures of one stretch of time, by the time of completion.
///
/// @param fromNanos since the start of the phase
/// @param completed requests that were answered or given up
/// @param errors of those, the ones that did not get what they asked for
public record Window(
        long fromNanos,
        long lengthNanos,
        long completed,
        long errors,
        long p50Nanos,
        long p90Nanos,
        long p99Nanos,
        long p999Nanos,
        long maxNanos,
        long serviceP99Nanos,
        long lagP99Nanos) {

    Window(long fromNanos, long lengthNanos, long errors, Histogram response, Histogram service, Histogram lag) {
        this(
                fromNanos,
                lengthNanos,
                response.getTotalCount(),
                errors,
                response.getValueAtPercentile(50),
                response.getValueAtPercentile(90),
                response.getValueAtPercentile(99),
                response.getValueAtPercentile(99.9),
                response.getMaxValue(),
                service.getValueAtPercentile(99),
                lag.getValueAtPercentile(99));
    }

    /// Completions a second.
    public double rate() {
        return completed * 1e9 / lengthNanos;
    }
}
