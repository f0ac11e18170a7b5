package kvant.load.result;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import kvant.load.record.Percentiles;
import kvant.load.record.PhaseRecorder;
import kvant.load.result.RecordJson.Unwrapped;
import kvant.text.UserException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// A distribution of request times: figures for readers without a library, and the whole histogram, which can be merged
/// with others and gives any percentile.
///
/// @param times null if nothing was measured
public record Distribution(long count, @Unwrapped @Nullable Times times) {

    /// @param percentilesNanos those of [Percentiles#shown()]; NaN with too few requests beyond them
    /// @param histogram in the compressed V2 encoding of HdrHistogram in base64; empty if missing
    public record Times(
            double meanNanos,
            double stdDeviationNanos,
            long minNanos,
            long maxNanos,
            Map<Double, Double> percentilesNanos,
            String histogram) {}

    /// The distribution of no requests.
    public static final Distribution NONE = new Distribution(0, null);

    public static Distribution of(Histogram histogram) {
        long count = histogram.getTotalCount();
        if (count == 0) {
            return NONE;
        }
        Map<Double, Double> percentiles = new LinkedHashMap<>();
        for (double percentile : Percentiles.shown()) {
            boolean shown = Percentiles.isShown(percentile, count);
            percentiles.put(percentile, shown ? (double) histogram.getValueAtPercentile(percentile) : Double.NaN);
        }
        return new Distribution(
                count,
                new Times(
                        histogram.getMean(),
                        histogram.getStdDeviation(),
                        histogram.getMinValue(),
                        histogram.getMaxValue(),
                        percentiles,
                        encoded(histogram)));
    }

    /// Decodes the histogram; empty if nothing was measured, or the file has none.
    ///
    /// @throws UserException when it cannot be decoded
    public static Histogram histogram(@Nullable Distribution distribution) {
        Times times = distribution == null ? null : distribution.times;
        return times == null || times.histogram.isEmpty()
                ? new Histogram(PhaseRecorder.DIGITS)
                : decoded(times.histogram);
    }

    /// The percentile even of few requests; NaN without requests.
    public static double p99Nanos(@Nullable Distribution distribution) {
        Times times = distribution == null ? null : distribution.times;
        if (times == null) {
            return Double.NaN;
        }
        double told = times.percentilesNanos.getOrDefault(99.0, Double.NaN);
        boolean isOfFew = Double.isNaN(told) && !times.histogram.isEmpty();
        return isOfFew ? decoded(times.histogram).getValueAtPercentile(99) : told;
    }

    public Histogram histogram() {
        return histogram(this);
    }

    static String encoded(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer, Deflater.BEST_COMPRESSION);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    /// @throws UserException when it cannot be decoded
    public static Histogram decoded(String encoded) {
        try {
            byte[] bytes = Base64.getDecoder().decode(encoded);
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
        } catch (DataFormatException | RuntimeException e) { // the decoder trusts its input
            throw new UserException("a histogram in it cannot be read", e);
        }
    }
}
