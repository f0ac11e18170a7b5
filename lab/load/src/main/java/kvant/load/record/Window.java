package kvant.load.record;

import org.HdrHistogram.Histogram;

/// The figures of one stretch of time, by the time of completion.
///
/// @param fromNanos since the start of the phase
/// @param completed requests that were answered or given up; of none there are no percentiles, and they are 0
/// @param errors of those, the ones that did not get what they asked for
/// @param answered of those, the ones that were answered, with whatever status
/// @param stolenNanos processor time that the host of this virtual machine took away, of all processors together
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
        long lagP99Nanos,
        long answered,
        long stolenNanos) {

    Window(
            long fromNanos,
            long lengthNanos,
            long errors,
            long answered,
            long stolenNanos,
            Histogram response,
            Histogram service,
            Histogram lag) {
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
                lag.getValueAtPercentile(99),
                answered,
                stolenNanos);
    }

    /// The same, on a timeline on which its phase begins later.
    Window later(long nanos) {
        return new Window(
                fromNanos + nanos,
                lengthNanos,
                completed,
                errors,
                p50Nanos,
                p90Nanos,
                p99Nanos,
                p999Nanos,
                maxNanos,
                serviceP99Nanos,
                lagP99Nanos,
                answered,
                stolenNanos);
    }

    /// Answers a second. What was given up was not served, and is no throughput.
    public double rate() {
        return lengthNanos > 0 ? answered * 1e9 / lengthNanos : 0;
    }
}
