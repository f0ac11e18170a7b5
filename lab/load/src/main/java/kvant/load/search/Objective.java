package kvant.load.search;

import java.math.BigDecimal;
import java.util.Locale;
import kvant.text.Units;
import org.HdrHistogram.Histogram;

/// A service level objective: a share of the requests must be answered correctly within a time limit.
///
/// @param percentile from 0 to 100, exclusive
public record Objective(double percentile, long limitNanos) {

    /// The value of a percentile when more requests failed than it leaves out.
    public static final long NEVER = Long.MAX_VALUE;

    private static final int MILLI_DIGITS = 6;

    /// Parses `p99.9=10ms`.
    ///
    /// @throws IllegalArgumentException with a readable one-line reason
    public static Objective parse(String text) {
        int equals = text.indexOf('=');
        if (equals > 1 && text.toLowerCase(Locale.ROOT).startsWith("p")) {
            try {
                double percentile = Double.parseDouble(text.substring(1, equals));
                long nanos = Units.duration(text.substring(equals + 1)).toNanos();
                if (percentile > 0 && percentile < 100 && nanos > 0) {
                    return new Objective(percentile, nanos);
                }
            } catch (NumberFormatException _) {
                // Reported below.
            }
        }
        throw new IllegalArgumentException("'" + text + "' is not an objective such as p99.9=10ms");
    }

    /// The percentile of all requests. Failed requests count as never answered, however fast they failed.
    ///
    /// @param errors the failed part of `response`
    public static long value(double percentile, Histogram response, Histogram errors) {
        Histogram good = response.copy();
        good.subtract(errors);
        double needed = percentile / 100 * response.getTotalCount();
        if (response.getTotalCount() == 0 || good.getTotalCount() < needed) {
            return NEVER;
        }
        return good.getValueAtPercentile(100 * needed / good.getTotalCount());
    }

    public long value(Histogram response, Histogram errors) {
        return value(percentile, response, errors);
    }

    /// An upper bound for [#value(Histogram, Histogram)] when it is unknown which of the requests failed.
    public long atMost(Histogram all, long failed) {
        double rank = percentile + 100.0 * failed / Math.max(1, all.getTotalCount());
        return rank > 100 || all.getTotalCount() == 0 ? NEVER : all.getValueAtPercentile(rank);
    }

    @Override
    public String toString() {
        String millis = BigDecimal.valueOf(limitNanos, MILLI_DIGITS)
                .stripTrailingZeros()
                .toPlainString();
        String rank = BigDecimal.valueOf(percentile).stripTrailingZeros().toPlainString();
        return "p" + rank + "=" + millis + "ms";
    }
}
