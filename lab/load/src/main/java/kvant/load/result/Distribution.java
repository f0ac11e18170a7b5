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
import kvant.text.Json;
import kvant.text.JsonValue;
import kvant.text.UserException;
import org.HdrHistogram.Histogram;

/// Times of requests: figures for readers without a library, and the whole histogram, from which any percentile can be
/// computed and which can be added up.
///
/// @param percentilesNanos by their names, those of [Percentiles#shown()] with enough requests beyond them
/// @param encoded the histogram in the compressed V2 encoding of HdrHistogram in base64; empty where there is none
public record Distribution(
        long count,
        double meanNanos,
        double stdDeviationNanos,
        long minNanos,
        long maxNanos,
        Map<String, Long> percentilesNanos,
        String encoded) {

    /// Nothing was measured.
    public static final Distribution NONE = new Distribution(0, 0, 0, 0, 0, Map.of(), "");

    public static Distribution of(Histogram histogram) {
        if (histogram.getTotalCount() == 0) {
            return NONE;
        }
        Map<String, Long> percentiles = new LinkedHashMap<>();
        for (double percentile : Percentiles.shown()) {
            if (Percentiles.isShown(percentile, histogram.getTotalCount())) {
                percentiles.put(Percentiles.name(percentile), histogram.getValueAtPercentile(percentile));
            }
        }
        return new Distribution(
                histogram.getTotalCount(),
                histogram.getMean(),
                histogram.getStdDeviation(),
                histogram.getMinValue(),
                histogram.getMaxValue(),
                percentiles,
                encoded(histogram));
    }

    /// Empty where nothing was measured.
    ///
    /// @throws UserException where it cannot be read
    public Histogram histogram() {
        return encoded.isEmpty() ? new Histogram(PhaseRecorder.DIGITS) : decoded(encoded);
    }

    void write(Json json, String name) {
        json.open(name).put("count", count);
        if (count > 0) {
            json.put("meanNanos", meanNanos)
                    .put("stdDeviationNanos", stdDeviationNanos)
                    .put("minNanos", minNanos)
                    .put("maxNanos", maxNanos);
            json.open("percentilesNanos");
            for (double percentile : Percentiles.shown()) {
                String own = Percentiles.name(percentile);
                if (percentilesNanos.containsKey(own)) {
                    json.put(own, percentilesNanos.get(own));
                } else {
                    json.putNull(own);
                }
            }
            json.close().put("histogram", encoded);
        }
        json.close();
    }

    static Distribution read(JsonValue json) {
        if (json.at("count").whole() == 0 && json.at("histogram").isMissing()) {
            return NONE;
        }
        Map<String, Long> percentiles = new LinkedHashMap<>();
        json.at("percentilesNanos").members().forEach((name, value) -> {
            if (value.value() != null) {
                percentiles.put(name, value.whole());
            }
        });
        return new Distribution(
                json.at("count").whole(),
                json.at("meanNanos").number(),
                json.at("stdDeviationNanos").number(),
                json.at("minNanos").whole(),
                json.at("maxNanos").whole(),
                percentiles,
                json.at("histogram").text());
    }

    static String encoded(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer, Deflater.BEST_COMPRESSION);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    /// @throws UserException where it cannot be read
    public static Histogram decoded(String encoded) {
        try {
            byte[] bytes = Base64.getDecoder().decode(encoded);
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
        } catch (DataFormatException | RuntimeException e) { // the decoder trusts its input
            throw new UserException("a histogram in it cannot be read", e);
        }
    }
}
