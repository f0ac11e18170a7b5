package kvant.lab.experiment;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/// Figures that others published for a variant.
///
/// @param millis latency in milliseconds by percentile; 100 is the maximum
public record Published(String variant, String phase, Map<Double, Double> millis, String note, String noteRu) {

    public Published {
        millis = Collections.unmodifiableMap(new TreeMap<>(millis));
    }
}
